; An array from Booleans to four-bit vectors: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Bool (_ BitVec 4)))
(declare-const i Bool)
(declare-const j Bool)
(assert (= (bvadd (select a i) #x1) (select a j)))
(assert (xor i j))
(check-sat)
