; Overflow and infinity; infinity minus infinity
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 4 4))
(assert (not (fp.isInfinite x)))
(assert (fp.eq (fp.sub RNE (_ +oo 4 4) (_ +oo 4 4)) x))
(check-sat)
