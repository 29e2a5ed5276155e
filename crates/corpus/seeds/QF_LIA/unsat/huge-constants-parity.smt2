; Constants beyond 64 bits; equal halves of an odd number
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(declare-const x Int)
(declare-const y Int)
(assert (= (+ x y) 36893488147419103233))
(assert (= x y))
(check-sat)
