; cvc5's updater on the wrong constructor does nothing; a square box
; WHY: s = (box 1 4) becomes (box 4 4)
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-datatype Shape ((dot) (box (w Int) (h Int))))
(declare-const s Shape)
(assert ((_ is box) s))
(assert (= (w ((_ update w) s (h s))) 4))
(assert (distinct (w s) (h s)))
(check-sat)
