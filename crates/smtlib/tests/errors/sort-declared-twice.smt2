(declare-sort U 0)
(declare-sort U 0)
