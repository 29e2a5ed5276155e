; FixedSizeBitVectors: words of fixed width (SMT-LIB 2.0 to 2.7, with the QF_BV operators).
;
; Total throughout: division by zero gives all ones, remainder by zero gives the dividend. `(_ bvX n)`,
; #b… and #x… are literals, not rows. bvand, bvor, bvadd, bvmul, bvxor and concat are left-associative, bvxnor
; is not (it is the negation of bvxor). Overflow predicates and the conversions to and from Int are 2.7.
;
; Unexpected behaviour, observed in z3 5.4.0 and cvc5 1.4.2:
; - bvredor and bvredand are taken by both; bvultbv and bvsltbv by neither (cvc5 keeps them internal).
; - z3 (and yices) take unary bvand, bvor, bvadd, …, concat; cvc5 and bitwuzla want two arguments.
; - z3 takes bvxnor of three arguments, and reads it left-associatively; cvc5 wants two.
; - yices 2.6.5 has no overflow predicates, no reductions and no conversions to Int.
; - z3 took the overflow predicates between 4.11.2 and 4.13.4, the 2.7 conversions between that and 4.15.4;
;   cvc5 took the conversions after 1.2.1.
; - bv2nat and int2bv live on in both beside the 2.7 names; bv2int in z3 only.
; - z3 also has `mkbv` (any number of Bools to a word of that width); no row: its width is its arity.
(theory FixedSizeBitVectors :since 2.0 :logic (bitvectors))

(concat (_ BitVec i) (_ BitVec j) (_ BitVec (+ i j)) :left-assoc :since 2.0 :eval bv_concat)
((_ extract i j) (_ BitVec m) (_ BitVec (+ (- i j) 1)) :guard (and (< i m) (<= j i)) :since 2.0 :eval bv_extract)
(bvnot (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_not)
(bvneg (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_neg)
(bvand (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc :since 2.0 :eval bv_and)
(bvor (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc :since 2.0 :eval bv_or)
(bvadd (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc :since 2.0 :eval bv_add)
(bvmul (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc :since 2.0 :eval bv_mul)
(bvudiv (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_udiv)
(bvurem (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_urem)
(bvshl (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_shl)
(bvlshr (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_lshr)
(bvult (_ BitVec m) (_ BitVec m) Bool :since 2.0 :eval bv_ult)
(bvnand (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_nand)
(bvnor (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_nor)
(bvxor (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc :since 2.0 :eval bv_xor)
(bvxnor (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_xnor)
(bvcomp (_ BitVec m) (_ BitVec m) (_ BitVec 1) :since 2.0 :eval bv_comp)
(bvsub (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_sub)
(bvsdiv (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_sdiv)
(bvsrem (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_srem)
(bvsmod (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_smod)
(bvashr (_ BitVec m) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_ashr)
((_ repeat k) (_ BitVec m) (_ BitVec (* k m)) :guard (> k 0) :since 2.0 :eval bv_repeat)
((_ zero_extend k) (_ BitVec m) (_ BitVec (+ m k)) :since 2.0 :eval bv_zero_extend)
((_ sign_extend k) (_ BitVec m) (_ BitVec (+ m k)) :since 2.0 :eval bv_sign_extend)
((_ rotate_left k) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_rotate_left)
((_ rotate_right k) (_ BitVec m) (_ BitVec m) :since 2.0 :eval bv_rotate_right)
(bvule (_ BitVec m) (_ BitVec m) Bool :since 2.0 :eval bv_ule)
(bvugt (_ BitVec m) (_ BitVec m) Bool :since 2.0 :eval bv_ugt)
(bvuge (_ BitVec m) (_ BitVec m) Bool :since 2.0 :eval bv_uge)
(bvslt (_ BitVec m) (_ BitVec m) Bool :since 2.0 :eval bv_slt)
(bvsle (_ BitVec m) (_ BitVec m) Bool :since 2.0 :eval bv_sle)
(bvsgt (_ BitVec m) (_ BitVec m) Bool :since 2.0 :eval bv_sgt)
(bvsge (_ BitVec m) (_ BitVec m) Bool :since 2.0 :eval bv_sge)

; SMT-LIB 2.7: overflow predicates
(bvnego (_ BitVec m) Bool :since 2.7 :by (z3 cvc5 bitwuzla) :eval bv_nego)
(bvuaddo (_ BitVec m) (_ BitVec m) Bool :since 2.7 :by (z3 cvc5 bitwuzla) :eval bv_uaddo)
(bvsaddo (_ BitVec m) (_ BitVec m) Bool :since 2.7 :by (z3 cvc5 bitwuzla) :eval bv_saddo)
(bvumulo (_ BitVec m) (_ BitVec m) Bool :since 2.7 :by (z3 cvc5 bitwuzla) :eval bv_umulo)
(bvsmulo (_ BitVec m) (_ BitVec m) Bool :since 2.7 :by (z3 cvc5 bitwuzla) :eval bv_smulo)
(bvusubo (_ BitVec m) (_ BitVec m) Bool :since 2.7 :by (z3 cvc5 bitwuzla) :eval bv_usubo)
(bvssubo (_ BitVec m) (_ BitVec m) Bool :since 2.7 :by (z3 cvc5 bitwuzla) :eval bv_ssubo)
(bvsdivo (_ BitVec m) (_ BitVec m) Bool :since 2.7 :by (z3 cvc5 bitwuzla) :eval bv_sdivo)

; SMT-LIB 2.7: conversions. The old names are the unsigned reading.
(ubv_to_int (_ BitVec m) Int :since 2.7 :by (z3 cvc5) :eval bv_to_nat :alias (bv2nat bv2int))
(sbv_to_int (_ BitVec m) Int :since 2.7 :by (z3 cvc5) :eval bv_to_int)
((_ int_to_bv m) Int (_ BitVec m) :guard (> m 0) :since 2.7 :by (z3 cvc5) :eval int_to_bv :alias (int2bv nat2bv))

(bvredor (_ BitVec m) (_ BitVec 1) :by (z3 cvc5 bitwuzla) :eval bv_redor)
(bvredand (_ BitVec m) (_ BitVec 1) :by (z3 cvc5 bitwuzla) :eval bv_redand)

; cvc5 only
(bvite (_ BitVec 1) (_ BitVec m) (_ BitVec m) (_ BitVec m) :by (cvc5) :eval bv_ite)

; z3 only
(ext_rotate_left (_ BitVec m) (_ BitVec m) (_ BitVec m) :by (z3) :eval bv_ext_rotate_left)
(ext_rotate_right (_ BitVec m) (_ BitVec m) (_ BitVec m) :by (z3) :eval bv_ext_rotate_right)
(bvumul_noovfl (_ BitVec m) (_ BitVec m) Bool :by (z3) :eval bv_umul_noovfl)
(bvsmul_noovfl (_ BitVec m) (_ BitVec m) Bool :by (z3) :eval bv_smul_noovfl)
(bvsmul_noudfl (_ BitVec m) (_ BitVec m) Bool :by (z3) :eval bv_smul_noudfl)
((_ bit2bool k) (_ BitVec m) Bool :guard (< k m) :by (z3) :eval bv_bit)
(bvxnor (_ BitVec m) (_ BitVec m) (_ BitVec m) :left-assoc :min 3 :by (z3) :eval bv_xnor :no-mutate)
; with one argument it is the complement in z3
(bvxnor (_ BitVec m) (_ BitVec m) :by (z3) :eval bv_not :no-mutate)
(bvand (_ BitVec m) (_ BitVec m) :by (z3 yices) :eval bv_and :no-mutate)
(bvor (_ BitVec m) (_ BitVec m) :by (z3 yices) :eval bv_or :no-mutate)
(bvxor (_ BitVec m) (_ BitVec m) :by (z3 yices) :eval bv_xor :no-mutate)
(bvadd (_ BitVec m) (_ BitVec m) :by (z3 yices) :eval bv_add :no-mutate)
(bvmul (_ BitVec m) (_ BitVec m) :by (z3 yices) :eval bv_mul :no-mutate)
(concat (_ BitVec m) (_ BitVec m) :by (z3 yices) :eval bv_concat :no-mutate)
; z3's inner division operators: what the divisor 0 gives is left open there
(bvudiv_i (_ BitVec m) (_ BitVec m) (_ BitVec m) :by (z3) :eval bv_udiv :no-mutate :under "divisor 0")
(bvurem_i (_ BitVec m) (_ BitVec m) (_ BitVec m) :by (z3) :eval bv_urem :no-mutate :under "divisor 0")
(bvsdiv_i (_ BitVec m) (_ BitVec m) (_ BitVec m) :by (z3) :eval bv_sdiv :no-mutate :under "divisor 0")
(bvsrem_i (_ BitVec m) (_ BitVec m) (_ BitVec m) :by (z3) :eval bv_srem :no-mutate :under "divisor 0")
(bvsmod_i (_ BitVec m) (_ BitVec m) (_ BitVec m) :by (z3) :eval bv_smod :no-mutate :under "divisor 0")
(bvudiv0 (_ BitVec m) (_ BitVec m) :by (z3) :no-mutate :under "always")
(bvurem0 (_ BitVec m) (_ BitVec m) :by (z3) :no-mutate :under "always")
(bvsdiv0 (_ BitVec m) (_ BitVec m) :by (z3) :no-mutate :under "always")
(bvsrem0 (_ BitVec m) (_ BitVec m) :by (z3) :no-mutate :under "always")
(bvsmod0 (_ BitVec m) (_ BitVec m) :by (z3) :no-mutate :under "always")
