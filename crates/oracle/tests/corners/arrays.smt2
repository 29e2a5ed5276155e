; unsat
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const v Int)
(assert (distinct (select (store a i v) i) v))

; unsat
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(declare-const v Int)
(assert (distinct i j))
(assert (distinct (select (store a i v) j) (select a j)))

; sat
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(declare-const v Int)
(assert (distinct (select (store a i v) j) (select a j)))

; unsat
(declare-const a (Array Int Int))
(declare-const i Int)
(assert (distinct (store a i (select a i)) a))

; unsat
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const i Int)
(assert (= a b))
(assert (distinct (select a i) (select b i)))

; sat
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(assert (distinct a b))
(assert (= (select a 0) (select b 0)))

; unsat
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(declare-const v Int)
(declare-const w Int)
(assert (distinct i j))
(assert (distinct (store (store a i v) j w) (store (store a j w) i v)))

; sat
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(declare-const v Int)
(declare-const w Int)
(assert (distinct (store (store a i v) j w) (store (store a j w) i v)))

; unsat
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const v Int)
(declare-const w Int)
(assert (distinct (store (store a i v) i w) (store a i w)))

; unsat
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const i Int)
(declare-const v Int)
(assert (= (store a i v) (store b i v)))
(assert (= (select a i) (select b i)))
(assert (distinct a b))

; sat
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(declare-const i Int)
(declare-const v Int)
(assert (= (store a i v) (store b i v)))
(assert (distinct a b))

; unsat
(declare-const i Int)
(assert (distinct (select ((as const (Array Int Int)) 7) i) 7))

; unsat
(assert (= ((as const (Array Int Int)) 1) ((as const (Array Int Int)) 2)))

; unsat
(declare-const i Int)
(assert (= (store ((as const (Array Int Int)) 1) i 2) ((as const (Array Int Int)) 1)))

; sat
(declare-const i Int)
(declare-const v Int)
(assert (= (store ((as const (Array Int Int)) 1) i v) ((as const (Array Int Int)) 1)))

; unsat
(declare-const a (Array Bool Int))
(declare-const p Bool)
(assert (= (select a true) 1))
(assert (= (select a false) 1))
(assert (distinct (select a p) 1))

; unsat
(declare-const a (Array Bool Bool))
(declare-const b (Array Bool Bool))
(assert (= (select a true) (select b true)))
(assert (= (select a false) (select b false)))
(assert (distinct a b))

; sat
(declare-const a (Array Bool Bool))
(declare-const b (Array Bool Bool))
(declare-const c (Array Bool Bool))
(declare-const d (Array Bool Bool))
(assert (distinct a b c d))

; unsat
(declare-const a (Array Bool Bool))
(declare-const b (Array Bool Bool))
(declare-const c (Array Bool Bool))
(declare-const d (Array Bool Bool))
(declare-const e (Array Bool Bool))
(assert (distinct a b c d e))

; unsat
(declare-const a (Array Int (Array Int Int)))
(declare-const i Int)
(declare-const j Int)
(assert (distinct (select (select (store a i (store (select a i) j 5)) i) j) 5))

; sat
(declare-const a (Array Int (Array Int Int)))
(assert (distinct (select a 0) (select a 1)))
(assert (= (select (select a 0) 0) (select (select a 1) 0)))

; unsat
(declare-const a (Array Int Int))
(declare-const i Int)
(declare-const j Int)
(assert (= (select a i) 1))
(assert (= (select a j) 2))
(assert (= (+ i 1) (+ j 1)))

; unsat
(declare-const a (Array Int Real))
(declare-const i Int)
(assert (< (select a i) (select a (+ i 1))))
(assert (< (select a (+ i 1)) (select a (+ i 2))))
(assert (>= (select a i) (select a (+ i 2))))

; sat
(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const i (_ BitVec 8))
(assert (= (select a i) (bvadd i #x01)))
(assert (= (select a (select a i)) i))

; unsat
(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
(declare-const i (_ BitVec 8))
(assert (= (select (store a i #x00) (bvadd i #x00)) #x01))

; unsat
(declare-sort I 0)
(declare-sort E 0)
(declare-const a (Array I E))
(declare-const i I)
(declare-const j I)
(assert (distinct (select a i) (select a j)))
(assert (= i j))

; sat
(declare-sort I 0)
(declare-sort E 0)
(declare-const a (Array I E))
(declare-const b (Array I E))
(declare-const i I)
(assert (distinct a b))
(assert (= (store a i (select b i)) b))

; unsat
(declare-sort I 0)
(declare-sort E 0)
(declare-const a (Array I E))
(declare-const b (Array I E))
(declare-const i I)
(assert (distinct a b))
(assert (= (store a i (select b i)) b))
(assert (= (select a i) (select b i)))

; unsat
(declare-const a (Array Int Int))
(assert (forall ((i Int)) (> (select a i) 0)))
(assert (< (select a 3) 0))

; sat
(declare-const a (Array Int Int))
(assert (forall ((i Int)) (> (select a i) 0)))
(assert (= (select a 3) 9))

; unsat
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(assert (forall ((i Int)) (= (select a i) (select b i))))
(assert (distinct a b))

; unsat
(declare-const a (Array Int Bool))
(declare-const i Int)
(declare-const j Int)
(assert (xor (select a i) (select a j)))
(assert (= (* 2 i) (* 2 j)))

; unsat
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(assert (= (store a 0 1) (store b 1 2)))
(assert (distinct (select b 0) 1))

; unsat
(declare-const p Bool)
(declare-const a (Array Int Int))
(declare-const b (Array Int Int))
(assert (distinct (select (ite p a b) 0) (ite p (select a 0) (select b 0))))

; sat
(declare-const a (Array String Int))
(assert (= (select a "") 1))
(assert (= (select a "a") 2))

; unsat
(declare-const a (Array String Int))
(declare-const s String)
(assert (= (select a "") 1))
(assert (= (select a s) 2))
(assert (= (str.len s) 0))
