; An array from integers to rounding modes: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Int RoundingMode))
(declare-const i Int)
(declare-const j Int)
(assert (and (distinct (select a i) RTZ RNE) (= (select a j) RTZ)))
(assert (= (* 2 i) (+ j j 2)))
(check-sat)
