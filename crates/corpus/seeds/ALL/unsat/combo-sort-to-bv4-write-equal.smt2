; An array from an uninterpreted sort to four-bit vectors: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-sort U 0)
(declare-const a (Array U (_ BitVec 4)))
(declare-const i U)
(declare-const j U)
(declare-const e (_ BitVec 4))
(define-fun b () (Array U (_ BitVec 4)) (store a i e))
(assert (= (bvadd (select b j) #x1) e))
(assert (or (= i j) (= j i)))
(check-sat)
