; A predicate that is an order on three; three points
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UF)
(set-info :status sat)
(declare-sort U 0)
(declare-fun le (U U) Bool)
(declare-const a U)
(declare-const b U)
(declare-const c U)
(assert (and (le a b) (le b c) (not (le a c))))
(assert (= (le c a) (le b b) (le a a)))
(assert (xor (le a a) (le c b)))
(check-sat)
