; Rounding modes inside a record; the mode decides
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Ctx ((ctx (mode RoundingMode) (digits (_ BitVec 2)))))
(declare-const c Ctx)
(declare-const d Ctx)
(assert (distinct c d))
(assert (= (digits c) (bvnot (digits d)) #b01))
(assert (= (mode c) (mode d)))
(assert (distinct (mode c) RNE RNA RTP RTN))
(check-sat)
