; Pigeons as bounded integers; sums that parity keeps apart
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const a Int)
(declare-const b Int)
(declare-const c Int)
(declare-const d Int)
(assert (and (<= 1 a 3) (<= 1 b 3) (<= 1 c 3) (<= 1 d 4)))
(assert (distinct a b c d))
(assert (= (+ a d) (+ b c 1)))
(check-sat)
