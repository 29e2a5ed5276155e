; Reads at linear index terms; the index is minus six
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_ALIA)
(set-info :status unsat)
(declare-const a (Array Int Int))
(declare-const x Int)
(declare-const y Int)
(assert (= (+ x y) (* 2 (- x 3))))
(assert (= (select a (- y x)) 1))
(assert (= (select a (- 6)) 0))
(check-sat)
