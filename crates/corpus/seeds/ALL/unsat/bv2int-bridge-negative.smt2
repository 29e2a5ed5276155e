; Bit-vectors meet integers through ubv_to_int and int_to_bv; int_to_bv wraps negative integers
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const x (_ BitVec 6))
(declare-const k Int)
(assert (= k (+ (ubv_to_int x) (ubv_to_int (bvnot x)))))
(assert (= x ((_ int_to_bv 6) (- (- k) 7))))
(assert (bvsgt x #b000000))
(check-sat)
