; reset-assertions drops the assertions
; COMMAND-LINE: --arrays-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-option :global-declarations true)
(declare-const x Int)
(declare-const a (Array Int Bool))
(assert (select a x))
(assert (not (select a (+ x 0))))
(set-info :status unsat)
(check-sat)
(reset-assertions)
(assert (xor (select a x) (select a (- x 1))))
(set-info :status sat)
(check-sat)
(assert (= a ((as const (Array Int Bool)) true)))
(set-info :status unsat)
(check-sat)
