; Records of strings and integers; a negative age leaves no digits
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Person ((person (name String) (age Int) (email String))))
(declare-const p Person)
(assert (= (email p) (str.++ (name p) "@" (str.from_int (age p)))))
(assert (= (str.len (email p)) 1))
(assert (< (age p) (- 3)))
(check-sat)
