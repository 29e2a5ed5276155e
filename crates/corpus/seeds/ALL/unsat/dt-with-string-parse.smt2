; Records of strings and integers; age is read off the address
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Person ((person (name String) (age Int) (email String))))
(declare-const p Person)
(assert (= (email p) (str.++ (name p) "@" (str.from_int (age p)))))
(assert (= (email p) "bo@41"))
(assert (distinct (age p) 41))
(assert (not (str.contains (name p) "@")))
(check-sat)
