(declare-sort Int 0)
