; Optional parts of a number; but has at most one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(define-fun digit () RegLan (re.range "0" "9"))
(define-fun number () RegLan
  (re.++ (re.opt (re.union (str.to_re "+") (str.to_re "-"))) (re.+ digit) (re.opt (re.++ (str.to_re ".") (re.* digit)))))
(assert (str.in_re x number))
(assert (= (str.at x 1) (str.at x 3) "."))
(check-sat)
