; z3's map and fold over sequences; the sum
; WHY: 1 + 2 + 0 = 3
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq Int))
(assert (= s (seq.++ (seq.unit 1) (seq.unit 2))))
(assert (= (seq.fold_left (lambda ((a Int) (x Int)) (+ a x)) 0 s) 3))
(check-sat)
