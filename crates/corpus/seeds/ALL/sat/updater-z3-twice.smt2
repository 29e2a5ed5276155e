; z3's field updater keeps the other fields; the last update wins
; WHY: r with a = 2 before and 7 after differs in a only, and c is free
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status sat)
(declare-datatype Rec ((rec (a Int) (b Bool) (c Real))))
(declare-const r Rec)
(assert (= (a ((_ update-field a) ((_ update-field a) r 6) 7)) (+ 5 (a r))))
(assert (> (c r) 0.5))
(check-sat)
