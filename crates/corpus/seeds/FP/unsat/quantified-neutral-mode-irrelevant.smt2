; Quantifiers over tiny floats; for all rounding modes the product by two is exact or overflows
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic FP)
(set-info :status unsat)
(declare-const e (_ FloatingPoint 2 2))
(assert (exists ((m RoundingMode) (n RoundingMode)) (and (not (fp.isInfinite (fp.add m e e))) (distinct (fp.add m e e) (fp.add n e e)))))
(assert (not (fp.isInfinite (fp.add RNE e e))))
(check-sat)
