; cvc5's codatatypes allow infinite streams; a stream that is its own tail's tail
; WHY: the alternating stream true false true … is such a value
; CONFIRMED: cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-codatatypes ((Stream 0)) (((scons (shead Bool) (stail Stream)))))
(declare-const s Stream)
(declare-const u Stream)
(assert (= (stail (stail s)) s))
(assert (shead s))
(assert (not (shead (stail s))))
(check-sat)
