; An array indexed by an enumeration; blue has the best score
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const score (Array Colour Int))
(declare-const c Colour)
(assert (< (select score red) (select score green) (select score blue)))
(assert (> (select score c) (select score green)))
(assert (not ((_ is blue) c)))
(check-sat)
