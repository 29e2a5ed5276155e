; Uninterpreted states with an observable counter; no state returns after two ticks
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-sort St 0)
(declare-fun tick (St) St)
(declare-fun clock (St) (_ BitVec 2))
(declare-const s St)
(assert (forall ((x St)) (= (clock (tick x)) (bvadd (clock x) #b01))))
(assert (= (tick (tick s)) s))
(check-sat)
