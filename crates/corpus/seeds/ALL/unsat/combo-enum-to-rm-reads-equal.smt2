; An array from colours to rounding modes: two reads at indices forced to be equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array Colour RoundingMode))
(declare-const i Colour)
(declare-const j Colour)
(assert (and (distinct (select a i) RTZ RNE) (= (select a j) RTZ)))
(assert (not (or ((_ is red) i) ((_ is red) j))))
(assert (not (or ((_ is green) i) ((_ is green) j))))
(check-sat)
