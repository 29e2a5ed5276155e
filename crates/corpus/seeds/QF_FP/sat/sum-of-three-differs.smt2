; Order of summation changes the result; in the same mode
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const a (_ FloatingPoint 3 3))
(declare-const b (_ FloatingPoint 3 3))
(declare-const c (_ FloatingPoint 3 3))
(declare-const m RoundingMode)
(assert (and (fp.leq a b) (fp.leq b c) (fp.lt (_ +zero 3 3) a)))
(assert (fp.lt (fp.add m (fp.add m a b) c) (fp.add m a (fp.add m b c))))
(assert (= m RTP))
(check-sat)
