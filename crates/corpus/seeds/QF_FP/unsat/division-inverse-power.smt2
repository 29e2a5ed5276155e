; x * (1/x) is not always one; it is for the exponent field in the middle and no fraction
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 4 5))
(define-fun one () (_ FloatingPoint 4 5) (fp #b0 #b0111 #x0))
(assert (fp.isNormal x))
(assert (fp.eq (fp.abs x) one))
(assert (not (fp.eq (fp.mul RNE x (fp.div RNE one x)) one)))
(check-sat)
