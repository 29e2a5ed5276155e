; bvcomp used as a bit; equality is transitive, so two out of three is impossible
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(declare-const a (_ BitVec 4))
(declare-const b (_ BitVec 4))
(declare-const c (_ BitVec 4))
(define-fun eqs () (_ BitVec 3) (concat (bvcomp a b) (concat (bvcomp b c) (bvcomp c a))))
(assert (or (= eqs #b110) (= eqs #b101) (= eqs #b011)))
(check-sat)
