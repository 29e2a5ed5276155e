; A quantifier over strings with a ground instance; two keys whose sum is too small
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-fun key (String) Int)
(assert (forall ((s String)) (! (> (key s) (str.len s)) :pattern ((key s)))))
(assert (= (+ (key "a") (key "bb")) 4))
(check-sat)
