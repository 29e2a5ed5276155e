; str.replace_all; by exactly the number of occurrences
; WHY: x = abab has two b, so two letters are added
; CONFIRMED: cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(define-fun y () String (str.replace_all x "aa" "a"))
(assert (= (str.len (str.replace_all x "b" "bb")) (+ 2 (str.len x))))
(assert (str.in_re x (re.++ (re.* (str.to_re "a")) (str.to_re "b") (re.* (re.range "a" "b")))))
(assert (= (str.len x) 4))
(check-sat)
