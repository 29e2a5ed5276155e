; Streams have no finite value; cvc5 declares them as codatatypes.
(set-logic ALL)
(declare-codatatypes ((Stream 0)) (((next (first Int) (rest Stream)))))
(declare-codatatype Tree ((node (left Tree) (right Tree))))
(declare-const s Stream)
(declare-const t Tree)
(assert (= (rest s) s))
(assert (= (left t) t))
(check-sat)
