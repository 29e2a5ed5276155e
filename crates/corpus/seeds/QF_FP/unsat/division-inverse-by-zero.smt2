; x * (1/x) is not always one; division by zero has the sign of both
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 4 5))
(define-fun one () (_ FloatingPoint 4 5) (fp #b0 #b0111 #x0))
(assert (fp.isNormal x))
(assert (not (fp.isInfinite (fp.div RTZ x (_ -zero 4 5)))))
(check-sat)
