; Chained comparisons with NaN; antisymmetry up to the sign of zero
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(declare-const y Float32)
(assert (and (fp.leq x y) (fp.geq x y) (distinct x y)))
(assert (not (fp.isZero x)))
(check-sat)
