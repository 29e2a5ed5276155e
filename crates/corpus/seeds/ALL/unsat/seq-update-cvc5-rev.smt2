; cvc5's seq.update and seq.rev; reversing moves the first to the end
; WHY: element 0 of the reversal of three elements is element 2
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq Int))
(assert (= (seq.len s) 3))
(assert (distinct (seq.nth (seq.rev s) 0) (seq.nth s 2)))
(check-sat)
