; Conversion between formats; narrowing loses a number between two halves
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const h (_ FloatingPoint 5 11))
(declare-const s Float32)
(assert (fp.lt ((_ to_fp 8 24) RNE ((_ to_fp 5 11) RTN s)) s))
(assert (fp.lt s ((_ to_fp 8 24) RNE ((_ to_fp 5 11) RTP s))))
(assert (fp.isNormal s))
(check-sat)
