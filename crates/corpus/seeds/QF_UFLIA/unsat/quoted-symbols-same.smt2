; Quoted symbols with blanks, keywords and empty names; a quoted simple symbol is that symbol
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFLIA)
(set-info :status unsat)
(declare-const |a b| Int)
(declare-const |let| Int)
(declare-const || Int)
(declare-fun |f (x)| (Int) Int)
(assert (= (|f (x)| |a b|) |let|))
(declare-const plain Int)
(assert (distinct |plain| plain))
(check-sat)
