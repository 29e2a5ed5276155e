; An array from an uninterpreted sort to rounding modes: a write read back at an index forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-sort U 0)
(declare-const a (Array U RoundingMode))
(declare-const i U)
(declare-const j U)
(declare-const e RoundingMode)
(define-fun b () (Array U RoundingMode) (store a i e))
(assert (and (distinct (select b j) RTZ RNE) (= e RTZ)))
(assert (distinct i j))
(check-sat)
