; fp.fma rounds once; from a product and a sum
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(declare-const z (_ FloatingPoint 3 4))
(assert (not (fp.isNaN z)))
(assert (fp.lt (fp.fma RNE x y z) (fp.add RNE (fp.mul RNE x y) z)))
(check-sat)
