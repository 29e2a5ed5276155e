; Square roots; rounded down it squares to at most x when squared downward
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 4 5))
(define-fun r () (_ FloatingPoint 4 5) (fp.sqrt RTN x))
(assert (fp.gt (fp.mul RTN r r) x))
(check-sat)
