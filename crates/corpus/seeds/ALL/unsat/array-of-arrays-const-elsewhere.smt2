; Nested constant arrays; every other row is constant
; COMMAND-LINE: --arrays-exp
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(define-sort Row () (Array Bool (_ BitVec 3)))
(define-sort Grid () (Array RoundingMode Row))
(declare-const g Grid)
(declare-const z (_ BitVec 3))
(assert (= (store g RTZ (store ((as const Row) #b101) true z)) ((as const Grid) ((as const Row) #b101))))
(assert (distinct (select (select g RNE) true) (select (select g RTP) false)))
(check-sat)
