; A stack of commands; pop first
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(declare-datatype Cmd ((push_ (arg Int)) (pop_)))
(declare-const p (Seq Cmd))
(assert (= (seq.len p) 2))
(assert ((_ is pop_) (seq.nth p 0)))
(assert (= (arg (seq.nth p 1)) 3))
(assert ((_ is push_) (seq.nth p 1)))
(set-info :status sat)
(check-sat)
