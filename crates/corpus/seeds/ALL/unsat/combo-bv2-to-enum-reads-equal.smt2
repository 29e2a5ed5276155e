; An array from two-bit vectors to colours: two reads at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array (_ BitVec 2) Colour))
(declare-const i (_ BitVec 2))
(declare-const j (_ BitVec 2))
(assert (and ((_ is green) (select a i)) ((_ is blue) (select a j))))
(assert (= (bvand (bvnot i) j) (bvand i (bvnot j)) #b00))
(check-sat)
