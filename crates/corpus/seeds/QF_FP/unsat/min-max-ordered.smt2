; fp.min and fp.max with NaN; they are ordered unless NaN
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_FP)
(set-info :status unsat)
(declare-const x Float32)
(declare-const y Float32)
(define-fun lo () Float32 (fp.min x y))
(define-fun hi () Float32 (fp.max x y))
(assert (not (fp.isNaN lo)))
(assert (not (fp.leq lo hi)))
(check-sat)
