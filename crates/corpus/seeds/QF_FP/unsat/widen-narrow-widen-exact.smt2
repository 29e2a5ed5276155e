; Conversion between formats; widening then narrowing is the identity, NaN included
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const h (_ FloatingPoint 5 11))
(declare-const s Float32)
(assert (distinct ((_ to_fp 5 11) RTZ ((_ to_fp 8 24) RTP h)) h))
(check-sat)
