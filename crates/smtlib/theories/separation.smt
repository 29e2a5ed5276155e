; Separation logic: cvc5's heaps (declare-heap (Loc Data)). Typed only; a heap is not a first-class value, so
; no row has an evaluation function and nothing here is ever judged by the evaluator.
;
; Unexpected behaviour, observed in cvc5 1.4.2: `sep` takes two or more arguments, `wand` exactly two. Without
; declare-heap the rows still type-check; the solver then refuses at check-sat. It also refuses them in incremental
; mode.
(theory Separation :shared)

(sep.emp Bool :by (cvc5) :no-mutate)
(par (L) (sep.nil L :qualified :by (cvc5) :no-mutate))
(par (L D) (pto L D Bool :by (cvc5) :no-mutate))
(sep Bool Bool Bool :left-assoc :by (cvc5) :no-mutate)
(wand Bool Bool Bool :by (cvc5) :no-mutate)
