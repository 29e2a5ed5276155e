; An array from floats to colours: two reads at indices forced apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Colour ((red) (green) (blue)))
(declare-const a (Array Float32 Colour))
(declare-const i Float32)
(declare-const j Float32)
(assert (and ((_ is green) (select a i)) ((_ is blue) (select a j))))
(assert (fp.eq i j))
(assert (distinct i j))
(check-sat)
