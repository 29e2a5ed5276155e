; Names from before the standard.
(set-logic QF_S)
(declare-fun s () String)
(assert (str.in.re s (re.++ (str.to.re "a") ((_ re.loop 2 4) (str.to.re "b")) (re.loop (str.to.re "c") 1 2))))
(assert (= (int.to.str 3) (str.from-int 3)))
(assert (= (str.to.int s) (str.to-int s)))
(assert (= re.nostr re.empty))
(check-sat)
