; Sequences stored in an array; after the first step
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int (Seq Int)))
(declare-const i Int)
(assert (= (select a (+ i 1)) (seq.++ (select a i) (seq.unit i))))
(assert (= (select a 0) (as seq.empty (Seq Int))))
(assert (= i 0))
(assert (distinct (seq.len (select a 1)) 1))
(check-sat)
