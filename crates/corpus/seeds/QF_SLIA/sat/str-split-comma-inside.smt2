; Splitting at a separator; a comma inside the left part before the start
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const k Int)
(define-fun i () Int (str.indexof x "," k))
(define-fun left () String (str.substr x 0 i))
(assert (= (str.++ left "," "b") x))
(assert (> i k))
(assert (>= k 0))
(assert (str.contains left ","))
(assert (< (str.len x) 7))
(check-sat)
