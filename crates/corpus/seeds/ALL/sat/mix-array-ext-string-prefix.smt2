; Extensionality with a string index; and x has this shape
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array String Bool))
(declare-const b (Array String Bool))
(declare-const x String)
(assert (distinct a b))
(assert (= (store a x true) (store b x true)))
(assert (str.prefixof "k-" x))
(assert (select b (str.substr x 0 2)))
(assert (not (select a "k-")))
(check-sat)
