; A regular expression and a number; a multiple of seven
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const n Int)
(define-fun s () String (str.from_int n))
(assert (str.in_re s (re.++ (str.to_re "1") (re.* (str.to_re "0")) (str.to_re "1"))))
(assert (= (mod n 7) 0))
(assert (< n 5000))
(check-sat)
