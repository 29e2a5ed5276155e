; A recursive datatype through an array; a child with a smaller weight
; COMMAND-LINE: --dt-nested-rec
; WHY: n = branch of weight 1 whose child at true is a branch of weight 0, all other children end
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Node ((end) (branch (next (Array Bool Node)) (weight Int))))
(declare-const n Node)
(declare-const m Node)
(assert ((_ is branch) n))
(assert (= m (select (next n) true)))
(assert ((_ is branch) m))
(assert (< (weight m) (weight n)))
(check-sat)
