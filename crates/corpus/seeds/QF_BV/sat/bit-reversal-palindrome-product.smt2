; Reverse five bits two ways; an odd palindrome times its double
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 5))
(define-fun rev ((v (_ BitVec 5))) (_ BitVec 5)
  (concat ((_ extract 0 0) v) ((_ extract 1 1) v) ((_ extract 2 2) v) ((_ extract 3 3) v) ((_ extract 4 4) v)))
(assert (= (rev x) x))
(assert (= (bvmul x (bvadd x x)) #b00010))
(assert (distinct x #b00001))
(check-sat)
