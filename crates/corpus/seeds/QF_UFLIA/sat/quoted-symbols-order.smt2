; Quoted symbols with blanks, keywords and empty names; a chain through all of them
; CONFIRMED: z3@5.4.0 cvc5@1.4.2
(set-logic QF_UFLIA)
(set-info :status sat)
(declare-const |a b| Int)
(declare-const |let| Int)
(declare-const || Int)
(declare-fun |f (x)| (Int) Int)
(assert (= (|f (x)| |a b|) |let|))
(assert (< |a b| || |let|))
(assert (= (|f (x)| ||) |a b|))
(check-sat)
