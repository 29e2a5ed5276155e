; Decimal and rational literals rounded five ways; one third downward is below one third upward
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FPLRA)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 5 11))
(assert (= x ((_ to_fp 5 11) RTN (/ 1 3))))
(assert (fp.eq x ((_ to_fp 5 11) RTP (/ 1 3))))
(check-sat)
