; Square roots; a normal number with an exact root that is not a power of two
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x (_ FloatingPoint 4 5))
(define-fun r () (_ FloatingPoint 4 5) (fp.sqrt RTN x))
(assert (= (fp.mul RNE r r) x))
(assert (fp.gt r (fp #b0 #b0111 #x8)))
(assert (not (fp.isInfinite x)))
(check-sat)
