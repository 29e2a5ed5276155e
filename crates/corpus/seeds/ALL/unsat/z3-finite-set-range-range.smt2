; Ranges, maps and filters of z3's finite sets; outside the range
; WHY: set.range holds the integers from its first to its second bound
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status unsat)
(declare-const x Int)
(assert (set.in x (set.range 2 5)))
(assert (> x 5))
(check-sat)
