; Special relations: z3's built-in orders and closures over any sort.
;
; (_ partial-order k) is an unknown relation that is a partial order; different k are different relations.
; They constrain, they do not compute, so no row has an evaluation function: the evaluator looks for an order that
; makes a model hold (semantics/src/eval/order.rs). A transitive closure is of a declared relation and is
; determined by it only on finite domains.
;
; Surprises: z3 5.4.0 also takes the orders without an index, meaning index 0.
(theory SpecialRelations :shared)

(par (A) ((_ partial-order k) A A Bool :by (z3) :under "any partial order"))
(par (A) ((_ linear-order k) A A Bool :by (z3) :under "any linear order"))
(par (A) ((_ tree-order k) A A Bool :by (z3) :under "any tree order"))
(par (A) ((_ piecewise-linear-order k) A A Bool :by (z3) :under "any piecewise linear order"))
(par (A) ((_ transitive-closure $r) A A Bool :guard (fun $r A A Bool) :by (z3)))
(par (A) (partial-order A A Bool :by (z3) :no-mutate :under "any partial order"))
(par (A) (linear-order A A Bool :by (z3) :no-mutate :under "any linear order"))
(par (A) (tree-order A A Bool :by (z3) :no-mutate :under "any tree order"))
(par (A) (piecewise-linear-order A A Bool :by (z3) :no-mutate :under "any piecewise linear order"))
