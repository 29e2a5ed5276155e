; An array from two-bit vectors to strings: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array (_ BitVec 2) String))
(declare-const i (_ BitVec 2))
(declare-const j (_ BitVec 2))
(assert (= (select a j) (str.++ (select a i) "x")))
(assert (bvult i j))
(assert (= ((_ extract 0 0) i) ((_ extract 0 0) j)))
(check-sat)
