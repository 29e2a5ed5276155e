; x & (x-1) against a population count written with extracts; the trick says no, the count says two
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 4))
(define-fun bit ((b (_ BitVec 1))) (_ BitVec 3) ((_ zero_extend 2) b))
(define-fun pop () (_ BitVec 3)
  (bvadd (bit ((_ extract 0 0) x)) (bit ((_ extract 1 1) x)) (bit ((_ extract 2 2) x)) (bit ((_ extract 3 3) x))))
(assert (distinct (bvand x (bvsub x #x1)) #x0))
(assert (= pop #b010))
(check-sat)
