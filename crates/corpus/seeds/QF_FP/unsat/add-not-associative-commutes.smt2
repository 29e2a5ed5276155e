; Addition of Float32 under round to nearest even; but commutes
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(declare-const y Float32)
(assert (not (or (fp.isNaN x) (fp.isInfinite x) (fp.isNaN y) (fp.isInfinite y))))
(assert (not (fp.eq (fp.add RNE x y) (fp.add RNE y x))))
(assert (not (fp.isNaN (fp.add RNE x y))))
(check-sat)
