; sat
(declare-const x Real)
(assert (= (to_int x) 3))
(assert (not (is_int x)))

; unsat
(declare-const x Real)
(assert (= (to_int x) 3))
(assert (>= x 4.0))

; unsat
(declare-const x Real)
(assert (is_int x))
(assert (< 2.0 x 3.0))

; sat
(declare-const x Real)
(assert (= (to_int x) (- 3)))
(assert (> x (- 3.0)))

; unsat
(declare-const x Real)
(assert (< (+ (to_real (to_int x)) 1.0) x))

; unsat
(declare-const n Int)
(assert (distinct (to_int (to_real n)) n))

; unsat
(declare-const n Int)
(assert (= (to_real n) 0.5))

; sat
(declare-const n Int)
(declare-const x Real)
(assert (= (* 2.0 x) (to_real n)))
(assert (not (is_int x)))

; unsat
(declare-const n Int)
(declare-const x Real)
(assert (= (* 2.0 x) (to_real n)))
(assert (= (mod n 2) 0))
(assert (not (is_int x)))

; unsat
(declare-const x Real)
(declare-const y Real)
(assert (is_int x))
(assert (is_int y))
(assert (not (is_int (+ x y))))

; sat
(declare-const x Real)
(declare-const y Real)
(assert (not (is_int x)))
(assert (not (is_int y)))
(assert (is_int (+ x y)))

; unsat
(declare-const x Real)
(assert (= (to_int x) (to_int (+ x 1.0))))

; sat
(declare-const x Real)
(assert (= (to_int (* 2.0 x)) (+ 1 (* 2 (to_int x)))))

; unsat
(declare-const x Real)
(assert (> (to_int (* 2.0 x)) (+ 1 (* 2 (to_int x)))))

; sat
(declare-const x Real)
(assert (= (* x x) 3.0))
(assert (= (to_int x) 1))

; unsat
(declare-const x Real)
(assert (= (* x x) 3.0))
(assert (is_int x))

; unsat
(declare-const n Int)
(declare-const m Int)
(assert (< (to_real n) (to_real m) (+ (to_real n) 1.0)))

; sat
(declare-const n Int)
(assert (= (/ (to_real n) 3.0) 7.0))

; unsat
(declare-const n Int)
(assert (= (/ (to_real n) 3.0) 0.5))

; sat
(declare-const n Int)
(declare-const x Real)
(assert (= (to_int (- x)) (- n)))
(assert (= (to_int x) (- n 1)))
