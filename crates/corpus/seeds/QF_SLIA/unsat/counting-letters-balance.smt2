; Counting by replacing; an odd word is unbalanced
; WHY: every letter is a or b, so na + nb = 3, which is odd
; CONFIRMED: cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const w String)
(define-fun na () Int (- (str.len w) (str.len (str.replace_all w "a" ""))))
(define-fun nb () Int (- (str.len w) (str.len (str.replace_all w "b" ""))))
(assert (str.in_re w (re.+ (re.union (str.to_re "a") (str.to_re "b")))))
(assert (= (str.len w) 3))
(assert (= na nb))
(check-sat)
