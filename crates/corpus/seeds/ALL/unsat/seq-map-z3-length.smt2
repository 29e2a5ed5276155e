; z3's map and fold over sequences; map keeps the length
; WHY: s is two units, mapping adds one to each, so the result is 2 3 and not 2 4
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Int))
(assert (= s (seq.++ (seq.unit 1) (seq.unit 2))))
(assert (= (seq.map (lambda ((x Int)) (+ x 1)) s) (seq.++ (seq.unit 2) (seq.unit 4))))
(check-sat)
