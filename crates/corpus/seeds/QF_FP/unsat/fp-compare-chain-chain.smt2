; Chained comparisons with NaN; a chain is false with NaN in the middle
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.leq x (fp.add RNE y (_ NaN 8 24)) y))
(check-sat)
