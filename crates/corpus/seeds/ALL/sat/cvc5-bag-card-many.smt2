; Size of a bag counts copies; a bag of five over two elements
; WHY: true three times and false twice
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Bag Bool))
(assert (= (bag.card a) 5))
(assert (= (bag.count true a) (+ 1 (bag.count false a))))
(check-sat)
