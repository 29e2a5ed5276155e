; A selector on the wrong constructor is free but a function; different leaves may have any left part
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFDT)
(set-info :status sat)
(declare-sort E 0)
(declare-datatype Tree ((leaf (value E)) (node (left Tree) (right Tree))))
(declare-const t Tree)
(declare-const u Tree)
(assert (and ((_ is leaf) t) ((_ is leaf) u)))
(assert (= (left t) u))
(assert (= (left u) t))
(assert (distinct t u))
(check-sat)
