; Nested constant arrays; row RTZ is free
; COMMAND-LINE: --arrays-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(define-sort Row () (Array Bool (_ BitVec 3)))
(define-sort Grid () (Array RoundingMode Row))
(declare-const g Grid)
(declare-const z (_ BitVec 3))
(assert (= (store g RTZ (store ((as const Row) #b101) true z)) ((as const Grid) ((as const Row) #b101))))
(assert (bvugt (select (select g RTZ) false) z))
(assert (distinct (select g RTZ) (store (select g RNA) true #b111)))
(check-sat)
