; Quantifiers over tiny floats; +0 is not one
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic FP)
(set-info :status unsat)
(declare-const e (_ FloatingPoint 2 2))
(assert (forall ((x (_ FloatingPoint 2 2))) (= (fp.add RNE x e) x)))
(assert (fp.isPositive e))
(check-sat)
