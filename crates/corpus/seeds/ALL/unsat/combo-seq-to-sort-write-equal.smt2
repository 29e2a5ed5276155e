; An array from integer sequences to an uninterpreted sort: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-sort U 0)
(declare-const a (Array (Seq Int) U))
(declare-const i (Seq Int))
(declare-const j (Seq Int))
(declare-const e U)
(define-fun b () (Array (Seq Int) U) (store a i e))
(assert (distinct (select b j) e))
(assert (= (seq.++ i (seq.unit 1)) (seq.++ j (seq.unit 1))))
(check-sat)
