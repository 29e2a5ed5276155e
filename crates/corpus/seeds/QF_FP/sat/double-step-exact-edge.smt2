; Float64 stepping over a boundary; two to the 53 itself
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const d (_ FloatingPoint 11 53))
(assert (= (fp.add RNE d ((_ to_fp 11 53) RNE 1.0)) d))
(assert (fp.leq (fp.abs d) ((_ to_fp 11 53) RNE 9007199254740992.0)))
(check-sat)
