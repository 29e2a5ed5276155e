; Order of summation changes the result; rounding up dominates rounding down whatever the order
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const a (_ FloatingPoint 3 3))
(declare-const b (_ FloatingPoint 3 3))
(declare-const c (_ FloatingPoint 3 3))
(declare-const m RoundingMode)
(assert (and (fp.leq a b) (fp.leq b c) (fp.lt (_ +zero 3 3) a)))
(assert (fp.lt (fp.add RTP (fp.add RTP a b) c) (fp.add RTN a (fp.add RTN b c))))
(check-sat)
