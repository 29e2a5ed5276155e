; sat
(declare-const s (Seq Int))
(assert (= (seq.len s) 3))
(assert (= (seq.nth s 0) 5))
(assert (= (seq.nth s 2) 7))

; unsat
(declare-const s (Seq Int))
(assert (< (seq.len s) 0))

; unsat
(declare-const s (Seq Int))
(assert (= (seq.++ s (seq.unit 1)) (seq.++ (seq.unit 2) s)))

; sat
(declare-const s (Seq Int))
(assert (= (seq.++ s (seq.unit 1)) (seq.++ (seq.unit 1) s)))
(assert (> (seq.len s) 1))

; unsat
(declare-const s (Seq Int))
(declare-const t (Seq Int))
(assert (distinct (seq.len (seq.++ s t)) (+ (seq.len s) (seq.len t))))

; unsat
(declare-const x Int)
(declare-const y Int)
(assert (= (seq.unit x) (seq.unit y)))
(assert (distinct x y))

; unsat
(declare-const x Int)
(assert (= (seq.unit x) (as seq.empty (Seq Int))))

; unsat
(declare-const s (Seq Int))
(assert (= (seq.len s) 0))
(assert (distinct s (as seq.empty (Seq Int))))

; sat
(declare-const s (Seq Int))
(assert (seq.contains s (seq.++ (seq.unit 1) (seq.unit 2))))
(assert (not (seq.prefixof (seq.unit 1) s)))

; unsat
(declare-const s (Seq Int))
(assert (seq.contains s (seq.++ (seq.unit 1) (seq.unit 2))))
(assert (= (seq.len s) 1))

; unsat
(declare-const s (Seq Int))
(declare-const t (Seq Int))
(assert (seq.prefixof s t))
(assert (seq.suffixof t s))
(assert (distinct s t))

; sat
(declare-const s (Seq Int))
(assert (= (seq.indexof s (seq.unit 4) 0) 2))

; unsat
(declare-const s (Seq Int))
(assert (= (seq.indexof s (seq.unit 4) 0) 2))
(assert (= (seq.len s) 2))

; unsat
(declare-const s (Seq Int))
(assert (distinct (seq.extract s 0 (seq.len s)) s))

; unsat
(declare-const s (Seq Int))
(assert (distinct (seq.at s (- 1)) (as seq.empty (Seq Int))))

; unsat
(declare-const s (Seq Int))
(assert (= (seq.at s 1) (seq.unit 9)))
(assert (= (seq.replace s (seq.unit 9) (seq.unit 8)) s))

; unsat
(declare-const s (Seq Int))
(assert (not (seq.contains s (seq.unit 9))))
(assert (distinct (seq.replace s (seq.unit 9) (seq.unit 8)) s))

; unsat
(declare-const s (Seq Bool))
(assert (= (seq.len s) 2))
(assert (distinct (seq.nth s 0) (seq.nth s 1)))
(assert (= (seq.nth s 0) true))
(assert (= (seq.nth s 1) true))

; sat
(declare-const s (Seq Bool))
(declare-const t (Seq Bool))
(assert (= (seq.len s) (seq.len t) 1))
(assert (distinct s t))

; unsat
(declare-const s (Seq Bool))
(declare-const t (Seq Bool))
(declare-const u (Seq Bool))
(assert (= (seq.len s) (seq.len t) (seq.len u) 1))
(assert (distinct s t u))

; unsat
(declare-const s (Seq Int))
(declare-const t (Seq Int))
(declare-const u (Seq Int))
(assert (= (seq.++ s t) (seq.++ s u)))
(assert (distinct t u))

; sat
(declare-const s (Seq (Seq Int)))
(assert (= (seq.len s) 2))
(assert (= (seq.len (seq.nth s 0)) 1))
(assert (distinct (seq.nth s 0) (seq.nth s 1)))

; unsat
(declare-const s (Seq Int))
(declare-const i Int)
(assert (<= 0 i))
(assert (< i (seq.len s)))
(assert (distinct (seq.at s i) (seq.unit (seq.nth s i))))

; unsat
(declare-const s (Seq Int))
(declare-const i Int)
(declare-const j Int)
(assert (= i j))
(assert (distinct (seq.nth s i) (seq.nth s j)))

; unsat
(declare-const s (Seq Int))
(assert (not (seq.contains s (as seq.empty (Seq Int)))))

; sat
(declare-const s (Seq Int))
(declare-const t (Seq Int))
(assert (distinct s t))
(assert (= (seq.++ s t) (seq.++ t s)))
(assert (> (seq.len s) 0))
(assert (> (seq.len t) 0))
