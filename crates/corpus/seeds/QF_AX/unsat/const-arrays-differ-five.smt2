; Constant arrays over a finite index; five different ones do not exist
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_AX)
(set-info :status unsat)
(declare-const a (Array Bool Bool))
(declare-const b (Array Bool Bool))
(declare-const c (Array Bool Bool))
(declare-const d (Array Bool Bool))
(declare-const e (Array Bool Bool))
(assert (distinct a b c d e))
(check-sat)
