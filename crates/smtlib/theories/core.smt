; Core: truth values, equality, choice. Every logic contains it (SMT-LIB 2.0 to 2.7).
;
; Nothing here is under-specified. `=` is chainable, `distinct` is pairwise, `=>` is right-associative,
; `xor` is left-associative; `and` and `or` of one argument are taken by z3, cvc5 and yices, not by bitwuzla,
; though the standard asks for two.
;
; Unexpected behaviour, observed in z3 5.4.0 and cvc5 1.4.2:
; - z3 takes `implies`, `iff` and `if` only while no set-logic has been given; even (set-logic ALL) hides them.
; - z3 takes unary `xor` and `distinct`; cvc5 rejects both.
; - z3 mixes Int and Real in the branches of `ite`; cvc5 does so for `=` and `distinct` but not for `ite`.
; - z3's cardinality and pseudo-Boolean operators take any number of Bools (`:nary`); `*` as the last index
;   stands for any number of further numerals: (_ pble k c1 … cn) says c1*p1 + … + cn*pn <= k.
(theory Core :since 2.0 :logic () :standard-only)

(true Bool :since 2.0 :eval core_true)
(false Bool :since 2.0 :eval core_false)
(not Bool Bool :since 2.0 :eval core_not)
(=> Bool Bool Bool :right-assoc :since 2.0 :eval core_implies :alias (implies))
(and Bool Bool Bool :left-assoc :since 2.0 :eval core_and)
(or Bool Bool Bool :left-assoc :since 2.0 :eval core_or)
(xor Bool Bool Bool :left-assoc :since 2.0 :eval core_xor)
(par (A) (= A A Bool :chainable :since 2.0 :eval core_eq))
(par (A) (distinct A A Bool :pairwise :since 2.0 :eval core_distinct))
(par (A) (ite Bool A A A :since 2.0 :eval core_ite :alias (if)))

; one argument: more lenient than the standard
(and Bool Bool :by (z3 cvc5 yices) :eval core_and :no-mutate)
(or Bool Bool :by (z3 cvc5 yices) :eval core_or :no-mutate)
(xor Bool Bool :by (z3 yices) :eval core_xor :no-mutate)

; z3 only
(iff Bool Bool Bool :by (z3) :eval core_eq :no-mutate)
(par (A) (distinct A Bool :by (z3) :eval core_distinct :no-mutate))
((_ at-most k) Bool Bool :nary :by (z3) :eval core_at_most)
((_ at-least k) Bool Bool :nary :by (z3) :eval core_at_least)
((_ pble k *) Bool Bool :nary :by (z3) :eval core_pb_le)
((_ pbge k *) Bool Bool :nary :by (z3) :eval core_pb_ge)
((_ pbeq k *) Bool Bool :nary :by (z3) :eval core_pb_eq)
