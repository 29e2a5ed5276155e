; seq.contains, seq.indexof, seq.prefixof; contained means indexed
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const s (Seq (_ BitVec 4)))
(declare-const t (Seq (_ BitVec 4)))
(assert (seq.contains s t))
(assert (= (seq.indexof s t 0) (- 1)))
(check-sat)
