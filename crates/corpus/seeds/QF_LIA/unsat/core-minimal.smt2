; Only three of five named bounds clash
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_LIA)
(set-info :status unsat)
(set-option :produce-unsat-cores true)
(declare-const x Int)
(declare-const y Int)
(assert (! (> x y) :named a))
(assert (! (> y 10) :named b))
(assert (! (< x 11) :named c))
(assert (! (< y 100) :named d))
(assert (! (distinct x y) :named e))
(check-sat)
(get-unsat-core)
