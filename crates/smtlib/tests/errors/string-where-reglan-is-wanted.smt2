(declare-const s String)
(assert (str.in_re s "a"))
