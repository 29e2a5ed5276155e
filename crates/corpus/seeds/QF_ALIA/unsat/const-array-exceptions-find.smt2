; A constant array with exceptions; a chain of reads that only n = 7 allows
; COMMAND-LINE: --arrays-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ALIA)
(set-info :status unsat)
(declare-const a (Array Int Int))
(declare-const n Int)
(assert (= a (store (store ((as const (Array Int Int)) 7) n 8) (+ n 1) 6)))
(assert (= (select a (select a n)) 6))
(assert (< n 7))
(check-sat)
