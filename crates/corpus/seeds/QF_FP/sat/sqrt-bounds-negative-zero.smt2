; Square roots; sqrt of -0 is -0, of other negatives NaN
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 4 5))
(define-fun r () (_ FloatingPoint 4 5) (fp.sqrt RTN x))
(assert (fp.isNegative x))
(assert (not (fp.isNaN r)))
(check-sat)
