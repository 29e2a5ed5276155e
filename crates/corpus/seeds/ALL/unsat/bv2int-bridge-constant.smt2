; Bit-vectors meet integers through ubv_to_int and int_to_bv; a number and its complement add up to all ones
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const x (_ BitVec 6))
(declare-const k Int)
(assert (= k (+ (ubv_to_int x) (ubv_to_int (bvnot x)))))
(assert (distinct k 63))
(check-sat)
