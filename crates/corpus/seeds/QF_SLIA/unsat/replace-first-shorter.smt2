; str.replace touches the first occurrence only; so the result is one shorter or the same
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const y String)
(assert (= y (str.replace x "ab" "b")))
(assert (not (or (= y x) (= (str.len y) (- (str.len x) 1)))))
(check-sat)
