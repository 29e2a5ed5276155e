; An array from an uninterpreted sort to arrays of integers: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-sort U 0)
(declare-const a (Array U (Array Bool Int)))
(declare-const i U)
(declare-const j U)
(declare-const e (Array Bool Int))
(define-fun b () (Array U (Array Bool Int)) (store a i e))
(assert (< (select (select b j) true) (select e true)))
(assert (or (= i j) (= j i)))
(check-sat)
