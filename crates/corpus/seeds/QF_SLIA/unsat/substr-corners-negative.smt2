; str.substr with negative and excessive arguments; a negative start or length gives nothing
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(declare-const n Int)
(assert (or (< i 0) (<= n 0)))
(assert (distinct (str.substr x i n) ""))
(check-sat)
