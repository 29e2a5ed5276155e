; Splitting at a separator; the left part has the length of the index
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const k Int)
(define-fun i () Int (str.indexof x "," k))
(define-fun left () String (str.substr x 0 i))
(assert (= (str.++ left "," "b") x))
(assert (> i k))
(assert (>= k 0))
(assert (distinct (str.len left) i))
(check-sat)
