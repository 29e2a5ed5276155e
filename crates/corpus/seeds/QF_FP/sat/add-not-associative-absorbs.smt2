; Addition of Float32 under round to nearest even; a summand vanishes
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const x Float32)
(declare-const y Float32)
(assert (not (or (fp.isNaN x) (fp.isInfinite x) (fp.isNaN y) (fp.isInfinite y))))
(assert (fp.eq (fp.add RNE x y) x))
(assert (fp.gt (fp.abs y) ((_ to_fp 8 24) RNE 1.0)))
(assert (fp.lt x y))
(check-sat)
