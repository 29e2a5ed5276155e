; Constant arrays of several sorts; a constant array of reals with one dent
; COMMAND-LINE: --arrays-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const s (Array Bool String))
(declare-const q (Array Int Real))
(declare-const i Int)
(assert (= (store s true "t") (store ((as const (Array Bool String)) "t") false (select s false))))
(assert (= (store q i 0.5) ((as const (Array Int Real)) 0.5)))
(assert (> (select q i) (select q (+ i 1))))
(assert (str.< (select s true) (select s false)))
(check-sat)
