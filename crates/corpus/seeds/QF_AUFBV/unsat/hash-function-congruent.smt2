; A function from arrays to bytes; equal contents, equal hashes
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_AUFBV)
(set-info :status unsat)
(declare-fun hash ((Array (_ BitVec 1) (_ BitVec 4))) (_ BitVec 4))
(declare-const a (Array (_ BitVec 1) (_ BitVec 4)))
(declare-const b (Array (_ BitVec 1) (_ BitVec 4)))
(assert (= (select a #b0) (select b #b0)))
(assert (= (select a #b1) (select b #b1)))
(assert (bvult (hash a) (hash b)))
(check-sat)
