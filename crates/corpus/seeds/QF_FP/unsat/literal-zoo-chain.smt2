; The special literals of one format compared; strictly between the infinities but not comparable to zero
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 3))
(assert (fp.lt (_ -oo 3 3) x (_ +oo 3 3)))
(assert (not (or (fp.lt x (_ +zero 3 3)) (fp.geq x (_ -zero 3 3)))))
(check-sat)
