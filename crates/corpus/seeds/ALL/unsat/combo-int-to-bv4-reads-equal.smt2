; An array from integers to four-bit vectors: two reads at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int (_ BitVec 4)))
(declare-const i Int)
(declare-const j Int)
(assert (= (bvadd (select a i) #x1) (select a j)))
(assert (<= i j))
(assert (< (* 2 j) (+ i i 1)))
(check-sat)
