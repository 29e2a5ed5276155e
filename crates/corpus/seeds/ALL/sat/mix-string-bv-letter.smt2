; A byte and its character; upper to lower case by one bit
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const b (_ BitVec 8))
(declare-const s String)
(assert (= s (str.from_code (ubv_to_int b))))
(assert (str.in_re s (re.range "A" "Z")))
(assert (= (str.from_code (ubv_to_int (bvor b #x20))) "q"))
(check-sat)
