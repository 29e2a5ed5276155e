; cvc5's codatatypes allow infinite streams; the constant stream is unique
; WHY: both streams unfold to true forever, and streams that unfold alike are equal
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-codatatypes ((Stream 0)) (((scons (shead Bool) (stail Stream)))))
(declare-const s Stream)
(declare-const u Stream)
(assert (= s (scons true s)))
(assert (= u (scons true u)))
(assert (distinct s u))
(check-sat)
