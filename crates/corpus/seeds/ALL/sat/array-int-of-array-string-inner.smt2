; Tables of tables; one cell changed
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const t (Array Int (Array String Int)))
(declare-const k String)
(define-fun u () (Array Int (Array String Int)) (store t 0 (store (select t 0) k 9)))
(assert (= (select (select u 0) "x") 9))
(assert (distinct (select (select t 0) "x") 9))
(assert (distinct k "y"))
(check-sat)
