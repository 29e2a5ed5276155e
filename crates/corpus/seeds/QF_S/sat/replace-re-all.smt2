; str.replace_re takes the shortest leftmost match (z3 gives up); every digit goes
; WHY: shortest matches are single digits, three of them; x = - rebuilds the right-hand side
; CONFIRMED: cvc5@1.4.2
(set-logic QF_S)
(set-info :status sat)
(declare-const x String)
(define-fun digits () RegLan (re.+ (re.range "0" "9")))
(assert (= (str.replace_re_all "1a22b" digits x) "-a--b"))
(check-sat)
