; Strings with the operator names of old releases.
(declare-fun s () String)
(declare-fun t () String)
(declare-fun u () String)
(assert (= (str.++ s t) "a\x07b\n\\c"))
(assert (= (str.len s) 2))
(assert (str.in.re u (re.+ (re.range "a" "c"))))
(assert (= (str.len u) 4))
(check-sat)
