; A sum of two sorts with testers under ite; both parts can give all ones
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatypes ((Either 2)) ((par (L R) ((inl (unl L)) (inr (unr R))))))
(declare-const x (Either (_ BitVec 4) Bool))
(define-fun bits () (_ BitVec 4) (ite ((_ is inl) x) (unl x) (ite (unr x) #xf #x0)))
(assert (= bits #xf))
(assert (distinct x ((as inr (Either (_ BitVec 4) Bool)) true)))
(check-sat)
