; cvc5's seq.update and seq.rev; writes in the middle
; WHY: s = 1 9 3 is one solution
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq Int))
(assert (= (seq.len s) 3))
(assert (= (seq.update s 1 (seq.unit 2)) (seq.++ (seq.unit 1) (seq.unit 2) (seq.unit 3))))
(assert (> (seq.nth s 1) 8))
(check-sat)
