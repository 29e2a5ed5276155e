; unsat
(declare-const x Float32)
(assert (fp.eq x (_ NaN 8 24)))

; sat
(declare-const x Float32)
(assert (not (fp.eq x x)))

; unsat
(declare-const x Float32)
(assert (not (fp.eq x x)))
(assert (not (fp.isNaN x)))

; sat
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.eq x y))
(assert (distinct x y))

; unsat
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.eq x y))
(assert (distinct x y))
(assert (not (fp.isZero x)))

; unsat
(declare-const x Float32)
(assert (fp.isNegative x))
(assert (fp.isPositive x))

; unsat
(declare-const x Float32)
(assert (fp.isNaN x))
(assert (fp.isNegative x))

; sat
(declare-const x Float32)
(assert (not (fp.isNegative x)))
(assert (not (fp.isPositive x)))

; unsat
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.lt x y))
(assert (fp.lt y x))

; unsat
(declare-const x Float64)
(assert (fp.lt (fp.abs x) (_ -zero 11 53)))

; sat
(declare-const x Float64)
(assert (= (fp.add RNE x x) x))
(assert (not (fp.isNaN x)))
(assert (not (fp.isZero x)))

; unsat
(declare-const x Float64)
(assert (distinct (fp.neg (fp.neg x)) x))

; unsat
(declare-const x Float32)
(assert (not (fp.isNaN x)))
(assert (distinct (fp.abs (fp.neg x)) (fp.abs x)))

; sat
(declare-const x Float32)
(assert (fp.isInfinite (fp.add RNE x x)))
(assert (not (fp.isInfinite x)))

; unsat
(declare-const x Float32)
(assert (fp.isInfinite (fp.add RTZ x x)))
(assert (not (fp.isInfinite x)))

; sat
(declare-const x Float16)
(assert (fp.isSubnormal x))
(assert (fp.isNormal (fp.add RNE x x)))

; unsat
(declare-const x Float16)
(assert (fp.isSubnormal x))
(assert (fp.isNormal x))

; unsat
(declare-const x Float16)
(assert (fp.isNaN (fp.sqrt RNE x)))
(assert (fp.gt x (_ +zero 5 11)))

; sat
(declare-const x Float16)
(assert (= (fp.sqrt RNE x) x))
(assert (fp.isZero x))
(assert (fp.isNegative x))

; unsat
(declare-const x Float16)
(assert (= (fp.mul RNE x x) (fp #b1 #b01111 #b0000000000)))

; sat
(declare-const x Float16)
(assert (= (fp.mul RNE x x) (fp #b0 #b10001 #b0000000000)))

; unsat
(declare-const x Float32)
(assert (fp.isNaN (fp.sub RNE x x)))
(assert (not (fp.isNaN x)))
(assert (not (fp.isInfinite x)))

; sat
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.isNaN (fp.mul RNE x y)))
(assert (not (fp.isNaN x)))
(assert (not (fp.isNaN y)))

; unsat
(declare-const x Float32)
(declare-const y Float32)
(assert (fp.isNaN (fp.mul RNE x y)))
(assert (fp.isNormal x))
(assert (fp.isNormal y))

; sat
(declare-const x Float32)
(assert (= (fp.div RNE x (_ +zero 8 24)) (_ -oo 8 24)))

; unsat
(declare-const x Float32)
(assert (fp.isNaN (fp.div RNE x (_ +zero 8 24))))
(assert (fp.isNormal x))

; unsat
(declare-const x Float16)
(assert (fp.gt (fp.roundToIntegral RTZ x) x))
(assert (fp.isPositive x))

; sat
(declare-const x Float16)
(assert (fp.gt (fp.roundToIntegral RTP x) x))
(assert (fp.isNegative x))

; sat
(declare-const r RoundingMode)
(declare-const x Float16)
(assert (distinct (fp.add r x x) (fp.add RNE x x)))

; unsat
(declare-const r RoundingMode)
(assert (distinct r RNE))
(assert (distinct r RNA))
(assert (distinct r RTP))
(assert (distinct r RTN))
(assert (distinct r RTZ))

; unsat
(declare-const a RoundingMode)
(declare-const b RoundingMode)
(declare-const c RoundingMode)
(declare-const d RoundingMode)
(declare-const e RoundingMode)
(declare-const f RoundingMode)
(assert (distinct a b c d e f))

; sat
(declare-const x Float16)
(declare-const y Float16)
(assert (= (fp.rem x y) (fp #b1 #b01111 #b0000000000)))

; sat
(declare-const x Float16)
(declare-const y Float16)
(assert (fp.isZero (fp.min x y)))
(assert (fp.isNegative (fp.max x y)))

; unsat
(declare-const x Float16)
(declare-const y Float16)
(assert (fp.lt (fp.max x y) (fp.min x y)))

; sat
(declare-const b (_ BitVec 16))
(assert (fp.isNaN ((_ to_fp 5 11) b)))

; unsat
(declare-const b (_ BitVec 16))
(assert (fp.isNaN ((_ to_fp 5 11) b)))
(assert (= ((_ extract 14 10) b) #b00000))

; sat
(declare-const x Float16)
(assert (= ((_ fp.to_sbv 8) RTZ x) #xff))

; unsat
(declare-const x Float16)
(assert (fp.leq (_ +zero 5 11) x (fp #b0 #b10000 #b0000000000)))
(assert (= ((_ fp.to_ubv 8) RTZ x) #x03))

; sat
(declare-const x Float16)
(assert (= (fp.to_real x) 0.75))

; unsat
(declare-const x Float16)
(assert (= (fp.to_real x) (/ 1.0 3.0)))
(assert (not (fp.isInfinite x)))
(assert (not (fp.isNaN x)))
