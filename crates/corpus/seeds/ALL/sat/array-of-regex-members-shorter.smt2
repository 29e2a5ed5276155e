; Cells that must match a regular expression; but the second may be shorter
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status sat)
(declare-const a (Array Int String))
(define-fun word () RegLan (re.+ (re.range "a" "c")))
(assert (str.in_re (select a 0) word))
(assert (str.in_re (select a 1) (re.comp word)))
(assert (str.< (select a 1) (select a 0)))
(assert (>= (str.len (select a 1)) 1))
(check-sat)
