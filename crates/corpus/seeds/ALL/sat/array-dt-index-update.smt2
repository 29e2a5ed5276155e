; An array indexed by an enumeration; overwrite until the order is reversed
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const score (Array Colour Int))
(declare-const c Colour)
(assert (< (select score red) (select score green) (select score blue)))
(assert (let ((s (store (store score red 9) blue 1))) (< (select s c) (select s green) (select s red))))
(assert (= c blue))
(check-sat)
