; Names given inside terms are visible from then on, also inside a let.
(declare-const p Bool)
(declare-const q Bool)
(assert (! (or (! p :named first) (! (not q) :named |second one|)) :named both))
(assert (let ((y (and p q))) (! (or y p) :named in-a-let)))
(assert (= both (or first |second one|)))
(check-sat)
(get-unsat-core)
