; The special literals of one format compared; a number above the largest finite one written by bits
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 3))
(assert (fp.gt x (fp #b0 #b110 #b11)))
(assert (distinct x (_ +oo 3 3)))
(check-sat)
