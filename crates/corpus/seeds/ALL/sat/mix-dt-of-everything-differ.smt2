; One record with a field of every kind; records that differ in one
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype R ((r (i Int) (q Real) (b (_ BitVec 2)) (f Float32) (m RoundingMode) (s String) (a (Array Bool Int)))))
(declare-const x R)
(declare-const y R)
(assert (= (i x) (str.len (s y))))
(assert (= (s x) (s y)))
(assert (= (select (a x) (fp.isNaN (f y))) (ubv_to_int (b y))))
(assert (= (r (i y) (q x) (b x) (f x) (m x) (s x) (a x)) y))
(assert (distinct x y))
(check-sat)
