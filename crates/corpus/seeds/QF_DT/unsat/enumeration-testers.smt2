; A finite enumeration; some tester holds
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_DT)
(set-info :status unsat)
(declare-datatype Suit ((clubs) (diamonds) (hearts) (spades)))
(declare-const a Suit)
(declare-const b Suit)
(declare-const c Suit)
(assert (not (or ((_ is clubs) a) ((_ is diamonds) a) ((_ is hearts) a) ((_ is spades) a))))
(check-sat)
