; sat
(declare-const s String)
(assert (= (str.len s) 3))
(assert (str.prefixof "ab" s))
(assert (str.suffixof "ba" s))

; unsat
(declare-const s String)
(assert (= (str.len s) 2))
(assert (str.prefixof "ab" s))
(assert (str.suffixof "ba" s))

; unsat
(declare-const s String)
(assert (= (str.++ s "a") (str.++ "b" s)))

; sat
(declare-const s String)
(assert (= (str.++ s "a") (str.++ "a" s)))
(assert (> (str.len s) 2))

; unsat
(declare-const s String)
(declare-const t String)
(assert (distinct (str.len (str.++ s t)) (+ (str.len s) (str.len t))))

; unsat
(declare-const s String)
(assert (< (str.len s) 0))

; unsat
(declare-const s String)
(assert (str.contains s "ab"))
(assert (< (str.len s) 2))

; sat
(declare-const s String)
(declare-const t String)
(assert (str.contains s t))
(assert (not (str.prefixof t s)))
(assert (not (str.suffixof t s)))

; unsat
(declare-const s String)
(declare-const t String)
(assert (str.contains s t))
(assert (str.contains t s))
(assert (distinct s t))

; unsat
(declare-const s String)
(assert (not (str.contains s "")))

; unsat
(declare-const s String)
(assert (= (str.indexof s "a" 0) 0))
(assert (not (str.prefixof "a" s)))

; sat
(declare-const s String)
(assert (= (str.indexof s "a" 0) 2))
(assert (= (str.indexof s "b" 0) (- 1)))

; unsat
(declare-const s String)
(assert (< (str.indexof s "a" 0) (- 1)))

; unsat
(declare-const s String)
(assert (= (str.indexof s "" 0) 1))

; sat
(declare-const s String)
(assert (distinct (str.replace s "a" "b") s))
(assert (str.contains (str.replace s "a" "b") "a"))

; unsat
(declare-const s String)
(assert (distinct (str.replace s "a" "b") s))
(assert (not (str.contains s "a")))

; unsat
(declare-const s String)
(assert (str.contains (str.replace_all s "a" "b") "a"))

; unsat
(declare-const s String)
(assert (distinct (str.replace "" s "x") "x"))
(assert (= s ""))

; sat
(declare-const s String)
(assert (= (str.replace s s "x") "x"))
(assert (= s ""))

; unsat
(declare-const s String)
(assert (distinct (str.substr s 0 (str.len s)) s))

; unsat
(declare-const s String)
(declare-const n Int)
(assert (> (str.len (str.substr s 1 n)) 0))
(assert (< (str.len s) 2))

; unsat
(declare-const s String)
(declare-const n Int)
(assert (< n 0))
(assert (distinct (str.at s n) ""))

; sat
(declare-const s String)
(assert (= (str.at s 2) "c"))
(assert (= (str.substr s 0 2) "ab"))

; sat
(declare-const s String)
(assert (= (str.to_int s) 42))
(assert (= (str.len s) 4))

; unsat
(declare-const s String)
(assert (= (str.to_int s) (- 2)))

; unsat
(declare-const n Int)
(assert (>= n 0))
(assert (distinct (str.to_int (str.from_int n)) n))

; unsat
(declare-const n Int)
(assert (< n 0))
(assert (distinct (str.from_int n) ""))

; unsat
(declare-const n Int)
(assert (= (str.from_int n) "007"))

; sat
(declare-const s String)
(assert (str.in_re s (re.+ (str.to_re "ab"))))
(assert (> (str.len s) 3))

; unsat
(declare-const s String)
(assert (str.in_re s (re.+ (str.to_re "ab"))))
(assert (= (mod (str.len s) 2) 1))

; unsat
(declare-const s String)
(assert (str.in_re s (re.* (re.range "a" "c"))))
(assert (str.contains s "d"))

; unsat
(declare-const s String)
(assert (str.in_re s re.none))

; unsat
(declare-const s String)
(assert (not (str.in_re s re.all)))

; sat
(declare-const s String)
(assert (str.in_re s (re.comp (re.++ re.all (str.to_re "a") re.all))))
(assert (= (str.len s) 2))

; unsat
(declare-const s String)
(assert (str.in_re s (re.inter (re.* (str.to_re "aa")) (re.++ (str.to_re "a") (re.* (str.to_re "aa"))))))

; sat
(declare-const s String)
(assert (str.in_re s ((_ re.loop 2 3) (re.union (str.to_re "a") (str.to_re "bb")))))
(assert (= (str.len s) 5))

; unsat
(declare-const s String)
(assert (str.in_re s ((_ re.loop 2 3) (re.union (str.to_re "a") (str.to_re "bb")))))
(assert (= (str.len s) 7))

; unsat
(declare-const s String)
(assert (str.in_re s (re.range "b" "a")))

; sat
(declare-const s String)
(assert (str.< s "b"))
(assert (str.< "a" s))

; unsat
(declare-const s String)
(declare-const t String)
(assert (str.< s t))
(assert (str.< t s))

; unsat
(declare-const s String)
(assert (str.< s ""))

; sat
(declare-const s String)
(assert (= (str.to_code s) 955))

; unsat
(declare-const s String)
(assert (distinct (str.to_code s) (- 1)))
(assert (distinct (str.len s) 1))

; unsat
(declare-const s String)
(assert (str.is_digit s))
(assert (> (str.len s) 1))

; unsat
(declare-const s String)
(declare-const t String)
(declare-const u String)
(assert (= (str.++ s t) (str.++ s u)))
(assert (distinct t u))

; sat
(declare-const s String)
(declare-const t String)
(assert (= (str.++ s t) "abab"))
(assert (= s t))
