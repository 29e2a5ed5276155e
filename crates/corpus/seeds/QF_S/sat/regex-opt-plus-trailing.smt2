; Optional parts of a number; may end in a point
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status sat)
(declare-const x String)
(define-fun digit () RegLan (re.range "0" "9"))
(define-fun number () RegLan
  (re.++ (re.opt (re.union (str.to_re "+") (str.to_re "-"))) (re.+ digit) (re.opt (re.++ (str.to_re ".") (re.* digit)))))
(assert (str.in_re x number))
(assert (str.suffixof "." x))
(assert (= (str.len x) 4))
(assert (not (str.is_digit (str.at x 0))))
(check-sat)
