; An array from an uninterpreted sort to strings: a function of two updated arrays at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-sort U 0)
(declare-const a (Array U String))
(declare-const i U)
(declare-const j U)
(declare-const e String)
(declare-fun f ((Array U String)) Int)
(assert (< (f (store a i e)) (f (store a j e))))
(assert (or (= i j) (= j i)))
(check-sat)
