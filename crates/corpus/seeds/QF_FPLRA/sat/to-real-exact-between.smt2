; fp.to_real is exact on finite numbers; rounding a real that lies between two numbers
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FPLRA)
(set-info :status sat)
(declare-const x (_ FloatingPoint 3 4))
(declare-const r Real)
(assert (not (or (fp.isNaN x) (fp.isInfinite x))))
(assert (= r (fp.to_real x)))
(assert (> (fp.to_real ((_ to_fp 3 4) RTP (+ r (/ 1.0 3.0)))) (+ r 0.5)))
(assert (< r 4.0))
(check-sat)
