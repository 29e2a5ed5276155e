; Extensionality with a string index; they differ at x
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array String Bool))
(declare-const b (Array String Bool))
(declare-const x String)
(assert (distinct a b))
(assert (= (store a x true) (store b x true)))
(assert (= (select a x) (select b x)))
(check-sat)
