; Defined sorts with parameters; adding one has none
; COMMAND-LINE: --arrays-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(define-sort Word () (_ BitVec 4))
(define-sort Map (K) (Array K Word))
(declare-const m (Map Word))
(declare-const k (Map (Array Bool Word)))
(declare-const w Word)
(assert (= (select m w) (bvadd w #x1)))
(assert (= m (store ((as const (Map Word)) #x0) w w)))
(check-sat)
