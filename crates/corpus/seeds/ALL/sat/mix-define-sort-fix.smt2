; Defined sorts with parameters; a fixpoint of the map
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(define-sort Word () (_ BitVec 4))
(define-sort Map (K) (Array K Word))
(declare-const m (Map Word))
(declare-const k (Map (Array Bool Word)))
(declare-const w Word)
(assert (= (select m w) w))
(assert (= (select m (bvnot w)) (bvneg w)))
(assert (bvsgt w #x0))
(check-sat)
