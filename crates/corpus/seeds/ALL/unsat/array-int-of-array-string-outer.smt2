; Tables of tables; other rows unchanged
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const t (Array Int (Array String Int)))
(declare-const k String)
(define-fun u () (Array Int (Array String Int)) (store t 0 (store (select t 0) k 9)))
(assert (distinct (select u 1) (select t 1)))
(check-sat)
