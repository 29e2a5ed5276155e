; Saturating addition by overflow predicate and by ite; saturating addition is associative
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(declare-const c (_ BitVec 4))
(define-fun sat+ ((x (_ BitVec 4)) (y (_ BitVec 4))) (_ BitVec 4) (ite (bvuaddo x y) #xf (bvadd x y)))
(assert (distinct (sat+ a (sat+ b c)) (sat+ (sat+ a b) c)))
(check-sat)
