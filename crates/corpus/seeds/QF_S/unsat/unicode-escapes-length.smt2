; Escapes of every form; the last one is no escape
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_S)
(set-info :status unsat)
(declare-const x String)
(assert (= x (str.++ "\u{1F600}" "\u0041" "\u{41}" "\ud")))
(assert (distinct (str.len x) 6))
(check-sat)
