; A regular expression and a number; it has at least two digits
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const n Int)
(define-fun s () String (str.from_int n))
(assert (str.in_re s (re.++ (str.to_re "1") (re.* (str.to_re "0")) (str.to_re "1"))))
(assert (< (str.len s) 2))
(check-sat)
