; Multiplication by a positive number is monotone; never reversed
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(declare-const k (_ FloatingPoint 3 4))
(assert (fp.leq x y))
(assert (fp.gt k (_ +zero 3 4)))
(assert (fp.gt (fp.mul RNE k x) (fp.mul RNE k y)))
(check-sat)
