; Attributes of every shape, nested, and patterns with several terms.
(declare-fun f (Int) Int)
(declare-fun g (Int) Bool)
(assert (forall ((x Int)) (! (g (f x)) :pattern ((f x)) :pattern ((g x) (f (f x))) :weight 3 :qid |my q| :skolemid sk)))
(assert (forall ((x Int)) (! (g x) :no-pattern (f x))))
(assert (! (g 1) :named n :note "text" :list (a (b c)) :flag))
(assert (=> n (! (! (g 2) :named m) :weight 1)))
(check-sat)
