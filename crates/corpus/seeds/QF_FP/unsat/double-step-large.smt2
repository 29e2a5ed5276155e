; Float64 stepping over a boundary; only from two to the 53 on
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const d (_ FloatingPoint 11 53))
(assert (= (fp.add RNE d ((_ to_fp 11 53) RNE 1.0)) d))
(assert (fp.lt (fp.abs d) ((_ to_fp 11 53) RNE 9007199254740992.0)))
(assert (not (fp.isNaN d)))
(check-sat)
