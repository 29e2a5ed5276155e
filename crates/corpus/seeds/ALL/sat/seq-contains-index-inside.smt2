; seq.contains, seq.indexof, seq.prefixof; found in the middle
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const s (Seq (_ BitVec 4)))
(declare-const t (Seq (_ BitVec 4)))
(assert (= t (seq.++ (seq.unit #x7) (seq.unit #x8))))
(assert (= (seq.indexof s t 0) 1))
(assert (seq.suffixof t s))
(assert (not (seq.prefixof (seq.unit #x7) s)))
(check-sat)
