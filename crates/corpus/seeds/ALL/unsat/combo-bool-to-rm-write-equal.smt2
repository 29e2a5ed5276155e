; An array from Booleans to rounding modes: a write read back at an index forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Bool RoundingMode))
(declare-const i Bool)
(declare-const j Bool)
(declare-const e RoundingMode)
(define-fun b () (Array Bool RoundingMode) (store a i e))
(assert (and (distinct (select b j) RTZ RNE) (= e RTZ)))
(assert (not (xor i j)))
(check-sat)
