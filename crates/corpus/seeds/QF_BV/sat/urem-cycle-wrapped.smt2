; Remainders by a non power of two; not when the difference wraps
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status sat)
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (= (bvurem x #x0d) (bvurem y #x0d)))
(assert (distinct (bvurem (bvsub x y) #x0d) #x00))
(check-sat)
