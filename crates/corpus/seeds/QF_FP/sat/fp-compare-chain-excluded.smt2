; Chained comparisons with NaN; neither less, equal nor greater
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x Float32)
(declare-const y Float32)
(assert (not (or (fp.lt x y) (fp.gt x y) (fp.eq x y))))
(assert (not (fp.isNaN x)))
(check-sat)
