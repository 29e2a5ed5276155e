; An array from integer sequences to rounding modes: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array (Seq Int) RoundingMode))
(declare-const i (Seq Int))
(declare-const j (Seq Int))
(declare-const e RoundingMode)
(define-fun b () (Array (Seq Int) RoundingMode) (store a i e))
(assert (and (distinct (select b j) RTZ RNE) (= e RTZ)))
(assert (= (seq.++ i (seq.unit 1)) (seq.++ j (seq.unit 1))))
(check-sat)
