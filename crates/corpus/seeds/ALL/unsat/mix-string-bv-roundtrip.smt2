; A byte and its character; a byte is always a code point
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const b (_ BitVec 8))
(declare-const s String)
(assert (= s (str.from_code (ubv_to_int b))))
(assert (distinct (str.to_code s) (ubv_to_int b)))
(check-sat)
