; Swapping two cells twice; one swap sorts two cells but not three
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ALIA)
(set-info :status sat)
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(define-fun swap ((b (Array Int Int)) (p Int) (q Int)) (Array Int Int)
  (store (store b p (select b q)) q (select b p)))
(assert (let ((b (swap a i j))) (and (< (select b i) (select b j)) (= j (+ i 2)) (> (select b (+ i 1)) (select b j)))))
(check-sat)
