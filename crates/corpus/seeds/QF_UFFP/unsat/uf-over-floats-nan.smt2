; An uninterpreted function respects = but not fp.eq; all NaNs are one argument
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFFP)
(set-info :status unsat)
(declare-fun f ((_ FloatingPoint 8 24)) (_ FloatingPoint 8 24))
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.eq x y))
(assert (fp.isNaN (fp.add RNE x (_ NaN 8 24))))
(assert (distinct (f (fp.sqrt RNE (fp #b1 #x7f #b00000000000000000000000))) (f (_ NaN 8 24))))
(check-sat)
