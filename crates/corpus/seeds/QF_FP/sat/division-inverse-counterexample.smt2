; x * (1/x) is not always one; found in a small format
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 4 5))
(define-fun one () (_ FloatingPoint 4 5) (fp #b0 #b0111 #x0))
(assert (fp.isNormal x))
(assert (not (fp.isInfinite (fp.div RNE one x))))
(assert (not (fp.eq (fp.mul RNE x (fp.div RNE one x)) one)))
(check-sat)
