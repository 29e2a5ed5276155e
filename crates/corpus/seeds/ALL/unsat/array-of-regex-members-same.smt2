; Cells that must match a regular expression; the same cell cannot do both
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-const a (Array Int String))
(define-fun word () RegLan (re.+ (re.range "a" "c")))
(assert (str.in_re (select a 0) word))
(assert (str.in_re (select a 1) (re.comp word)))
(declare-const i Int)
(assert (= (select a i) (select a 0) (select a (- 1 i))))
(assert (<= 0 i 1))
(check-sat)
