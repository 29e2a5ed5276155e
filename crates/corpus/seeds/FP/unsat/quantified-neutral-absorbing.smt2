; Quantifiers over tiny floats; infinity absorbs only non-infinities
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic FP)
(set-info :status unsat)
(declare-const e (_ FloatingPoint 2 2))
(assert (forall ((x (_ FloatingPoint 2 2))) (or (fp.isNaN x) (fp.isInfinite (fp.add RNE x e)))))
(check-sat)
