; Every number is of exactly one class; a class without a sign
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BVFP)
(set-info :status sat)
(declare-const x Float32)
(define-fun n ((b Bool)) (_ BitVec 3) (ite b #b001 #b000))
(define-fun classes () (_ BitVec 3)
  (bvadd (n (fp.isNaN x)) (n (fp.isInfinite x)) (n (fp.isZero x)) (n (fp.isSubnormal x)) (n (fp.isNormal x))))
(assert (not (or (fp.isPositive x) (fp.isNegative x))))
(assert (= x (fp.neg x)))
(check-sat)
