; An uninterpreted function respects = but not fp.eq; nothing else
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFFP)
(set-info :status unsat)
(declare-fun f ((_ FloatingPoint 8 24)) (_ FloatingPoint 8 24))
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.eq x y))
(assert (not (fp.isZero x)))
(assert (distinct (f x) (f y)))
(check-sat)
