; An uninterpreted function respects = but not fp.eq; it may tell the zeros apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFFP)
(set-info :status sat)
(declare-fun f ((_ FloatingPoint 8 24)) (_ FloatingPoint 8 24))
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.eq x y))
(assert (not (fp.eq (f x) (f y))))
(assert (not (fp.isNaN (f x))))
(assert (not (fp.isNaN (f y))))
(check-sat)
