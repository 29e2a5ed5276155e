; Constant arrays over a finite index; one of four arrays
; COMMAND-LINE: --arrays-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_AX)
(set-info :status unsat)
(declare-const a (Array Bool Bool))
(assert (distinct a ((as const (Array Bool Bool)) true)))
(assert (distinct a ((as const (Array Bool Bool)) false)))
(assert (= (select a true) (select a false)))
(check-sat)
