; A selector on the wrong constructor is free but a function; equal leaves
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFDT)
(set-info :status unsat)
(declare-sort E 0)
(declare-datatype Tree ((leaf (value E)) (node (left Tree) (right Tree))))
(declare-const t Tree)
(declare-const u Tree)
(assert (and ((_ is leaf) t) ((_ is leaf) u)))
(assert (= (value t) (value u)))
(assert (distinct (left t) (left u)))
(check-sat)
