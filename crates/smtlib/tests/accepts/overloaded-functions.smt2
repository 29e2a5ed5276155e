; One name, several ranks.
(set-logic ALL)
(declare-fun f (Int) Int)
(declare-fun f (Bool) Int)
(declare-fun f (Int Int) Bool)
(assert (= (f 1) (f true)))
(assert (f 1 2))
(check-sat)
