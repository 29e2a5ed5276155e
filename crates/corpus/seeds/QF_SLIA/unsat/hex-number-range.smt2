; A number computed from characters; is a byte
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_SLIA)
(set-info :status unsat)
(declare-const s String)
(define-fun val ((c String)) Int (ite (str.is_digit c) (- (str.to_code c) 48) (- (str.to_code c) 87)))
(assert (str.in_re s ((_ re.^ 2) (re.union (re.range "0" "9") (re.range "a" "f")))))
(define-fun n () Int (+ (* 16 (val (str.at s 0))) (val (str.at s 1))))
(assert (not (<= 0 n 255)))
(check-sat)
