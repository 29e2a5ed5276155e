; fp.fma rounds once; a factor of one makes it a sum
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 3 4))
(declare-const y (_ FloatingPoint 3 4))
(declare-const z (_ FloatingPoint 3 4))
(assert (= y ((_ to_fp 3 4) RNE 1.0)))
(assert (distinct (fp.fma RTZ x y z) (fp.add RTZ x z)))
(check-sat)
