; The special literals of one format compared; a subnormal strictly below one half
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 3 3))
(assert (and (fp.isSubnormal x) (fp.isNegative x)))
(assert (fp.lt x (fp.neg (fp #b0 #b000 #b01))))
(check-sat)
