; An array from rounding modes to arrays from Booleans to floats; the same cell twice
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const t (Array RoundingMode (Array Bool Float32)))
(declare-const m RoundingMode)
(declare-const p Bool)
(define-fun cell () Float32 (select (select t m) p))
(assert (= m RNA))
(assert p)
(assert (fp.lt cell (select (select t roundNearestTiesToAway) true)))
(check-sat)
