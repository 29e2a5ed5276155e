; A recursive datatype through an array; nodes with the same children and weight are one
; COMMAND-LINE: --dt-nested-rec
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Node ((end) (branch (next (Array Bool Node)) (weight Int))))
(declare-const n Node)
(declare-const m Node)
(assert (and ((_ is branch) n) ((_ is branch) m)))
(assert (= (weight n) (weight m)))
(assert (= (select (next n) true) (select (next m) true)))
(assert (= (select (next n) false) (select (next m) false)))
(assert (distinct n m))
(check-sat)
