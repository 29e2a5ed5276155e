; str.< and str.<= are a total order; a proper prefix is smaller, and length does not decide
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const x String)
(declare-const y String)
(declare-const z String)
(assert (and (str.< x y) (> (str.len x) (+ 2 (str.len y)))))
(assert (str.prefixof "m" y))
(check-sat)
