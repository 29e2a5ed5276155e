; Counting by replacing; two to one
; WHY: w = aba has two a and one b, and 4 = 1 + 3
; CONFIRMED: cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status sat)
(declare-const w String)
(define-fun na () Int (- (str.len w) (str.len (str.replace_all w "a" ""))))
(define-fun nb () Int (- (str.len w) (str.len (str.replace_all w "b" ""))))
(assert (str.in_re w (re.+ (re.union (str.to_re "a") (str.to_re "b")))))
(assert (= (str.len w) 3))
(assert (= (+ na na) (+ nb 3)))
(assert (str.suffixof "ba" w))
(check-sat)
