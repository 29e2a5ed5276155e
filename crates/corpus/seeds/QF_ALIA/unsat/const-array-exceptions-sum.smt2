; A constant array with exceptions; three neighbours add up to 21
; COMMAND-LINE: --arrays-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ALIA)
(set-info :status unsat)
(declare-const a (Array Int Int))
(declare-const n Int)
(assert (= a (store (store ((as const (Array Int Int)) 7) n 8) (+ n 1) 6)))
(assert (distinct 21 (+ (select a n) (select a (+ n 1)) (select a (+ n 2)))))
(check-sat)
