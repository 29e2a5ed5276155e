; sat
(declare-const x (_ BitVec 32))
(assert (= (bvmul x x) #x00000004))
(assert (bvugt x #x00000002))

; unsat
(declare-const x (_ BitVec 32))
(assert (= (bvmul #x00000002 x) #x00000001))

; unsat
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(assert (distinct (bvadd x y) (bvadd y x)))

; sat
(declare-const x (_ BitVec 8))
(assert (= (bvneg x) x))
(assert (distinct x #x00))

; unsat
(declare-const x (_ BitVec 8))
(assert (distinct (bvneg (bvneg x)) x))

; sat
(declare-const x (_ BitVec 8))
(assert (= (bvudiv x #x00) #xff))

; unsat
(declare-const x (_ BitVec 8))
(assert (distinct (bvudiv x #x00) #xff))

; unsat
(declare-const x (_ BitVec 16))
(assert (distinct (bvurem x #x0000) x))

; unsat
(declare-const x (_ BitVec 8))
(assert (= (bvsdiv x #x00) #x02))

; sat
(declare-const x (_ BitVec 8))
(assert (bvslt (bvsdiv x #xff) x))
(assert (bvsgt x #x00))

; sat
(declare-const x (_ BitVec 8))
(assert (= (bvsdiv x #xff) x))
(assert (distinct x #x00))

; unsat
(declare-const x (_ BitVec 8))
(assert (bvslt (bvsrem x #x05) #xfc))

; unsat
(declare-const x (_ BitVec 8))
(assert (bvslt (bvsmod x #x05) #x00))

; sat
(declare-const x (_ BitVec 8))
(assert (distinct (bvsmod x #x05) (bvsrem x #x05)))

; unsat
(declare-const x (_ BitVec 64))
(assert (distinct (bvand x (bvnot x)) #x0000000000000000))

; unsat
(declare-const x (_ BitVec 64))
(assert (distinct (bvor x (bvnot x)) #xffffffffffffffff))

; unsat
(declare-const x (_ BitVec 64))
(declare-const y (_ BitVec 64))
(assert (distinct (bvxor (bvxor x y) y) x))

; sat
(declare-const x (_ BitVec 64))
(declare-const y (_ BitVec 64))
(assert (bvult (bvadd x y) x))

; unsat
(declare-const x (_ BitVec 32))
(assert (bvult (bvor x #x00000001) x))

; unsat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (bvuge y #x08))
(assert (distinct (bvshl x y) #x00))

; sat
(declare-const x (_ BitVec 8))
(assert (= (bvashr x #x07) #xff))
(assert (= (bvlshr x #x07) #x01))

; unsat
(declare-const x (_ BitVec 8))
(assert (bvslt x #x00))
(assert (distinct (bvashr x #x09) #xff))

; unsat
(declare-const x (_ BitVec 16))
(assert (distinct (concat ((_ extract 15 8) x) ((_ extract 7 0) x)) x))

; sat
(declare-const x (_ BitVec 16))
(assert (= (concat ((_ extract 7 0) x) ((_ extract 15 8) x)) x))
(assert (distinct x #x0000))

; unsat
(declare-const x (_ BitVec 8))
(assert (distinct ((_ zero_extend 8) x) ((_ sign_extend 8) x)))
(assert (bvsge x #x00))

; sat
(declare-const x (_ BitVec 8))
(assert (distinct ((_ zero_extend 8) x) ((_ sign_extend 8) x)))

; unsat
(declare-const x (_ BitVec 8))
(assert (distinct ((_ rotate_left 3) ((_ rotate_right 3) x)) x))

; sat
(declare-const x (_ BitVec 8))
(assert (= ((_ rotate_left 2) x) x))
(assert (distinct x #x00 #xff))
(assert (= ((_ rotate_left 4) x) x))

; unsat
(declare-const x (_ BitVec 8))
(assert (= ((_ rotate_left 1) x) x))
(assert (distinct x #x00))
(assert (distinct x #xff))

; unsat
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(assert (bvult x y))
(assert (bvult y x))

; unsat
(declare-const x (_ BitVec 32))
(assert (bvult x #x00000000))

; unsat
(declare-const x (_ BitVec 32))
(assert (bvsgt x #x7fffffff))

; sat
(declare-const x (_ BitVec 32))
(assert (bvugt x #x7fffffff))
(assert (bvslt x #x80000001))

; unsat
(declare-const x (_ BitVec 32))
(assert (= (bvand x #x00000001) #x00000001))
(assert (= (bvurem x #x00000002) #x00000000))

; unsat
(declare-const x (_ BitVec 32))
(assert (distinct (bvshl x #x00000001) (bvadd x x)))

; unsat
(declare-const x (_ BitVec 32))
(assert (distinct (bvmul x #x00000004) (bvshl x #x00000002)))

; sat
(declare-const x (_ BitVec 16))
(assert (bvnego x))

; unsat
(declare-const x (_ BitVec 16))
(declare-const y (_ BitVec 16))
(assert (bvuaddo x y))
(assert (bvult x #x8000))
(assert (bvult y #x8000))

; sat
(declare-const x (_ BitVec 16))
(declare-const y (_ BitVec 16))
(assert (bvsmulo x y))
(assert (not (bvumulo x y)))

; unsat
(declare-const x (_ BitVec 8))
(assert (> (bv2nat x) 255))

; sat
(declare-const x (_ BitVec 8))
(assert (= (bv2nat x) 200))
(assert (bvslt x #x00))

; unsat
(declare-const x (_ BitVec 8))
(assert (distinct ((_ int2bv 8) (bv2nat x)) x))

; unsat
(declare-const n Int)
(assert (= ((_ int2bv 8) n) #x01))
(assert (= (mod n 2) 0))

; sat
(declare-const n Int)
(assert (= ((_ int2bv 8) n) #xfe))
(assert (< n 0))

; unsat
(declare-const x (_ BitVec 12))
(assert (distinct (bvcomp x x) #b1))

; unsat
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(assert (distinct (bvsub x y) (bvadd x (bvadd (bvnot y) #x00000001))))

; unsat
(declare-const x (_ BitVec 1))
(declare-const y (_ BitVec 1))
(declare-const z (_ BitVec 1))
(assert (distinct x y z))

; unsat
(declare-const x (_ BitVec 8))
(declare-const y (_ BitVec 8))
(assert (distinct (bvnand x y) (bvor (bvnot x) (bvnot y))))
