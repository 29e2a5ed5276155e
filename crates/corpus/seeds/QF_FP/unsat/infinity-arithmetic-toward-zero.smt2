; Overflow and infinity; RTZ never overflows
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x (_ FloatingPoint 4 4))
(assert (not (fp.isInfinite x)))
(assert (fp.isInfinite (fp.add RTZ x x)))
(check-sat)
