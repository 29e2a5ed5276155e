; FloatingPoint: IEEE 754 numbers of any exponent and significand width, five rounding modes
; (theory of 2010 to 2014; part of SMT-LIB 2.5 and later). (_ FloatingPoint eb sb): sb counts the hidden bit.
;
; There is one NaN; `=` is identity (NaN = NaN, +0 differs from -0), `fp.eq` is IEEE comparison. Float16,
; Float32, Float64 and Float128 abbreviate sorts. Under-specified: fp.min and fp.max of two zeros of
; opposite sign, fp.to_ubv and fp.to_sbv of NaN, infinities and values out of range, fp.to_real of NaN and
; infinities, and which NaN pattern z3's fp.to_ieee_bv gives.
;
; Unexpected behaviour, observed in z3 5.4.0 and cvc5 1.4.2:
; - the comparison operators and fp.eq are chainable in both, of one argument in neither.
; - z3 takes to_fp from an Int, from an Int and a Real in either order (a * 2^b), and from three words.
;   cvc5 takes none of them, not even the numeral in ((_ to_fp 5 11) RNE 1).
; - cvc5 solves Float32 and Float64 only; other formats type-check and need --fp-exp at check-sat.
; - cvc5 has the overloads of to_fp under four own names beside the standard one.
; - bitwuzla 0.9.1 has no Real: no fp.to_real, and to_fp of a real only from a literal; formats other than
;   Float16 to Float128 need an option there.
; - z3's fp.to_ieee_bv is also to_ieee_bv; cvc5 has no way back to bits.
(theory FloatingPoint :since 2.5 :logic (floats))

(RNE RoundingMode :since 2.5 :eval rm_rne :alias (roundNearestTiesToEven))
(RNA RoundingMode :since 2.5 :eval rm_rna :alias (roundNearestTiesToAway))
(RTP RoundingMode :since 2.5 :eval rm_rtp :alias (roundTowardPositive))
(RTN RoundingMode :since 2.5 :eval rm_rtn :alias (roundTowardNegative))
(RTZ RoundingMode :since 2.5 :eval rm_rtz :alias (roundTowardZero))

(fp (_ BitVec 1) (_ BitVec eb) (_ BitVec i) (_ FloatingPoint eb (+ i 1)) :guard (and (>= eb 2) (>= i 1)) :since 2.5 :eval fp_fp)
((_ +oo eb sb) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :since 2.5 :eval fp_pos_inf)
((_ -oo eb sb) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :since 2.5 :eval fp_neg_inf)
((_ +zero eb sb) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :since 2.5 :eval fp_pos_zero)
((_ -zero eb sb) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :since 2.5 :eval fp_neg_zero)
((_ NaN eb sb) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :since 2.5 :eval fp_nan)

(fp.abs (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :since 2.5 :eval fp_abs)
(fp.neg (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :since 2.5 :eval fp_neg)
(fp.add RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :since 2.5 :eval fp_add)
(fp.sub RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :since 2.5 :eval fp_sub)
(fp.mul RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :since 2.5 :eval fp_mul)
(fp.div RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :since 2.5 :eval fp_div)
(fp.fma RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :since 2.5 :eval fp_fma)
(fp.sqrt RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :since 2.5 :eval fp_sqrt)
(fp.rem (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :since 2.5 :eval fp_rem)
(fp.roundToIntegral RoundingMode (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :since 2.5 :eval fp_round_to_integral)
(fp.min (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :divergent :since 2.5 :eval fp_min :under "zeros of opposite sign")
(fp.max (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :divergent :since 2.5 :eval fp_max :under "zeros of opposite sign")
(fp.leq (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) Bool :chainable :since 2.5 :eval fp_leq)
(fp.lt (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) Bool :chainable :since 2.5 :eval fp_lt)
(fp.geq (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) Bool :chainable :since 2.5 :eval fp_geq)
(fp.gt (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) Bool :chainable :since 2.5 :eval fp_gt)
(fp.eq (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) Bool :chainable :since 2.5 :eval fp_eq)
(fp.isNormal (_ FloatingPoint eb sb) Bool :since 2.5 :eval fp_is_normal)
(fp.isSubnormal (_ FloatingPoint eb sb) Bool :since 2.5 :eval fp_is_subnormal)
(fp.isZero (_ FloatingPoint eb sb) Bool :since 2.5 :eval fp_is_zero)
(fp.isInfinite (_ FloatingPoint eb sb) Bool :since 2.5 :eval fp_is_infinite)
(fp.isNaN (_ FloatingPoint eb sb) Bool :since 2.5 :eval fp_is_nan)
(fp.isNegative (_ FloatingPoint eb sb) Bool :since 2.5 :eval fp_is_negative)
(fp.isPositive (_ FloatingPoint eb sb) Bool :since 2.5 :eval fp_is_positive)

; to_fp: from bits, from another format, from a real, from a signed word; to_fp_unsigned from an unsigned one
((_ to_fp eb sb) (_ BitVec (+ eb sb)) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :since 2.5 :eval fp_from_bits)
((_ to_fp eb sb) RoundingMode (_ FloatingPoint mb nb) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :since 2.5 :eval fp_from_fp)
((_ to_fp eb sb) RoundingMode Real (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :since 2.5 :eval fp_from_real)
((_ to_fp eb sb) RoundingMode (_ BitVec m) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :since 2.5 :eval fp_from_sbv)
((_ to_fp_unsigned eb sb) RoundingMode (_ BitVec m) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :since 2.5 :eval fp_from_ubv)
((_ fp.to_ubv m) RoundingMode (_ FloatingPoint eb sb) (_ BitVec m) :divergent :guard (> m 0) :since 2.5 :eval fp_to_ubv :under "NaN, infinite or out of range")
((_ fp.to_sbv m) RoundingMode (_ FloatingPoint eb sb) (_ BitVec m) :divergent :guard (> m 0) :since 2.5 :eval fp_to_sbv :under "NaN, infinite or out of range")
(fp.to_real (_ FloatingPoint eb sb) Real :divergent :since 2.5 :by (z3 cvc5 mathsat) :eval fp_to_real :under "NaN or infinite")

; cvc5 only: the overloads by name
((_ to_fp_bv eb sb) (_ BitVec (+ eb sb)) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :by (cvc5) :eval fp_from_bits)
((_ to_fp_fp eb sb) RoundingMode (_ FloatingPoint mb nb) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :by (cvc5) :eval fp_from_fp)
((_ to_fp_real eb sb) RoundingMode Real (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :by (cvc5) :eval fp_from_real)
((_ to_fp_signed eb sb) RoundingMode (_ BitVec m) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :by (cvc5) :eval fp_from_sbv)

; z3 only
((_ to_fp eb sb) RoundingMode Int (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :by (z3) :eval fp_from_int)
((_ to_fp eb sb) RoundingMode Int Real (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :by (z3) :eval fp_from_int_exp_real)
((_ to_fp eb sb) RoundingMode Real Int (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :by (z3) :eval fp_from_real_exp_int)
((_ to_fp eb sb) (_ BitVec 1) (_ BitVec eb) (_ BitVec (- sb 1)) (_ FloatingPoint eb sb) :guard (and (>= eb 2) (>= sb 2)) :by (z3) :eval fp_fp)
(fp.to_ieee_bv (_ FloatingPoint eb sb) (_ BitVec (+ eb sb)) :divergent :by (z3) :eval fp_to_ieee_bv :alias (to_ieee_bv) :under "NaN")
(fp.min_i (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :divergent :by (z3) :eval fp_min :no-mutate :under "zeros of opposite sign")
(fp.max_i (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) (_ FloatingPoint eb sb) :divergent :by (z3) :eval fp_max :no-mutate :under "zeros of opposite sign")
