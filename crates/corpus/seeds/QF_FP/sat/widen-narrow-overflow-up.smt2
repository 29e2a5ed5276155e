; Conversion between formats; a finite Float32 becomes an infinite half
; COMMAND-LINE: --fp-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status sat)
(declare-const h (_ FloatingPoint 5 11))
(declare-const s Float32)
(assert (not (fp.isInfinite s)))
(assert (= ((_ to_fp 5 11) RNA s) (_ -oo 5 11)))
(check-sat)
