; An array from Booleans to Booleans: two reads at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Bool Bool))
(declare-const i Bool)
(declare-const j Bool)
(assert (xor (select a i) (select a j)))
(assert (not (xor i j)))
(check-sat)
