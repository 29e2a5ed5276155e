; Constant arrays of several sorts; nothing else is left
; COMMAND-LINE: --arrays-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Array Bool String))
(declare-const q (Array Int Real))
(declare-const i Int)
(assert (= (store s true "t") (store ((as const (Array Bool String)) "t") false (select s false))))
(assert (= s ((as const (Array Bool String)) "f")))
(assert (= (store s true "f") (store s true "t")))
(check-sat)
