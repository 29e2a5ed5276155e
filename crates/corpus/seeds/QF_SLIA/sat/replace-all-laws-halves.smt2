; str.replace_all; is not a fixpoint operation
; WHY: x = aaaa becomes aa
; CONFIRMED: cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(define-fun y () String (str.replace_all x "aa" "a"))
(assert (str.contains y "aa"))
(assert (<= (str.len x) 4))
(check-sat)
