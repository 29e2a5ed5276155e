; str.replace_re takes the shortest leftmost match (z3 gives up); one digit only
; WHY: the shortest leftmost match is the digit 1, so the result is a x 2b; x must be empty
; CONFIRMED: cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(define-fun digits () RegLan (re.+ (re.range "0" "9")))
(assert (= (str.replace_re "a12b" digits x) "a2b"))
(assert (distinct x ""))
(check-sat)
