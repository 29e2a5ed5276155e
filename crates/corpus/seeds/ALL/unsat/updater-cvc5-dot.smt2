; cvc5's updater on the wrong constructor does nothing; a dot stays a dot
; WHY: updating a selector of another constructor leaves the value unchanged
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Shape ((dot) (box (w Int) (h Int))))
(declare-const s Shape)
(assert (= s dot))
(assert (distinct ((_ update w) s 3) s))
(check-sat)
