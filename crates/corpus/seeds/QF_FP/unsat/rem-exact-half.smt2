; fp.rem is the IEEE remainder; its magnitude is at most half the divisor
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(assert (not (or (fp.isZero y) (fp.isNaN y) (fp.isInfinite y) (fp.isInfinite x) (fp.isNaN x))))
(assert (fp.gt (fp.add RTZ (fp.abs (fp.rem x y)) (fp.abs (fp.rem x y))) (fp.abs y)))
(check-sat)
