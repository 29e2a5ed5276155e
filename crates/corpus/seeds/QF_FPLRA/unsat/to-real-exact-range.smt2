; fp.to_real is exact on finite numbers; bounded by the largest finite number
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FPLRA)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 4))
(declare-const r Real)
(assert (not (or (fp.isNaN x) (fp.isInfinite x))))
(assert (= r (fp.to_real x)))
(assert (or (> r 15.0) (< r (- 15.0))))
(check-sat)
