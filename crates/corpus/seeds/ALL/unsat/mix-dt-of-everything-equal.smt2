; One record with a field of every kind; records equal in all fields are equal
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype R ((r (i Int) (q Real) (b (_ BitVec 2)) (f Float32) (m RoundingMode) (s String) (a (Array Bool Int)))))
(declare-const x R)
(declare-const y R)
(assert (= (i x) (str.len (s y))))
(assert (= (s x) (s y)))
(assert (= (select (a x) (fp.isNaN (f y))) (ubv_to_int (b y))))
(assert (and (= (i x) (i y)) (= (q x) (q y)) (= (b x) (b y)) (= (f x) (f y)) (= (m x) (m y)) (= (a x) (a y))))
(assert (distinct x y))
(check-sat)
