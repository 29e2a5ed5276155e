; An array from an uninterpreted sort to Boolean sequences: two reads at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-sort U 0)
(declare-const a (Array U (Seq Bool)))
(declare-const i U)
(declare-const j U)
(assert (= (seq.len (select a j)) (+ 1 (seq.len (select a i)))))
(assert (or (= i j) (= j i)))
(check-sat)
