; An array from rounding modes to arrays from Booleans to floats; a cell that is not equal to itself numerically
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const t (Array RoundingMode (Array Bool Float32)))
(declare-const m RoundingMode)
(declare-const p Bool)
(define-fun cell () Float32 (select (select t m) p))
(assert (not (fp.eq cell cell)))
(assert (= (select t m) (select t RTZ)))
(assert (fp.isZero (select (select t RTZ) (not p))))
(check-sat)
