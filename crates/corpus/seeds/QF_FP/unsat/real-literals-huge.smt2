; Decimal and rational literals rounded five ways; a literal beyond the range
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 5 11))
(assert (= x ((_ to_fp 5 11) RTZ 123456.75)))
(assert (or (fp.isInfinite x) (fp.lt x ((_ to_fp 5 11) RNE 65504.0))))
(check-sat)
