; Strings: Unicode strings and regular languages (SMT-LIB 2.6 and 2.7), with z3's and cvc5's extensions
; and the names used before 2020.
;
; Characters are code points 0 to 0x2FFFF. Everything standard is total: str.at and str.substr give ""
; outside, str.indexof and str.to_int and str.to_code give -1, str.from_int of a negative gives "",
; re.range of anything but two single characters in order gives re.none, (_ re.loop i j) with i > j too.
; str.replace_re takes the leftmost, then shortest match; str.replace_re_all the leftmost, shortest non-empty ones.
;
; Unexpected behaviour, observed in z3 5.4.0 and cvc5 1.4.2:
; - the standard makes str.< and str.<= chainable; both solvers want exactly two arguments.
; - the old names (str.to.re, str.in.re, int.to.str, re.nostr, …) are gone from cvc5 and alive in z3.
; - cvc5 takes re.diff of three arguments (left-associative, as the standard says), and so does z3.
; - z3 4.8.5 to 4.8.7 know only the old names; 4.8.12 and later know both.
; - z3 alone has re.xor, re.reverse, str.power and a sort of characters, `Unicode`, with (_ Char n).
; - re.range and str.to_re take any string term in both, not only constants.
(theory Strings :since 2.6 :logic (strings))

((_ char n) String :guard (<= n 196607) :since 2.6 :eval str_char)
(str.++ String String String :left-assoc :since 2.6 :eval str_concat)
(str.len String Int :since 2.6 :eval str_len)
(str.< String String Bool :since 2.6 :eval str_lt)
(str.<= String String Bool :since 2.6 :eval str_le)
(str.< String String Bool :chainable :min 3 :since 2.6 :by () :eval str_lt :no-mutate)
(str.<= String String Bool :chainable :min 3 :since 2.6 :by () :eval str_le :no-mutate)
(str.at String Int String :since 2.6 :eval str_at)
(str.substr String Int Int String :since 2.6 :eval str_substr)
(str.prefixof String String Bool :since 2.6 :eval str_prefixof)
(str.suffixof String String Bool :since 2.6 :eval str_suffixof)
(str.contains String String Bool :since 2.6 :eval str_contains)
(str.indexof String String Int Int :since 2.6 :eval str_indexof)
(str.replace String String String String :since 2.6 :eval str_replace)
(str.replace_all String String String String :since 2.6 :eval str_replace_all :alias (str.replaceall))
(str.replace_re String RegLan String String :since 2.6 :eval str_replace_re)
(str.replace_re_all String RegLan String String :since 2.6 :eval str_replace_re_all)
(str.is_digit String Bool :since 2.6 :eval str_is_digit)
(str.to_code String Int :since 2.6 :eval str_to_code :alias (str.code))
(str.from_code Int String :since 2.6 :eval str_from_code)
(str.to_int String Int :since 2.6 :eval str_to_int :alias (str.to.int str.to-int))
(str.from_int Int String :since 2.6 :eval str_from_int :alias (int.to.str str.from-int))
(str.in_re String RegLan Bool :since 2.6 :eval str_in_re :alias (str.in.re str.in-re))
(str.to_re String RegLan :since 2.6 :eval str_to_re :alias (str.to.re str.to-re))

(re.none RegLan :since 2.6 :eval re_none :alias (re.nostr re.empty))
(re.all RegLan :since 2.6 :eval re_all)
(re.allchar RegLan :since 2.6 :eval re_allchar)
(re.++ RegLan RegLan RegLan :left-assoc :since 2.6 :eval re_concat)
(re.union RegLan RegLan RegLan :left-assoc :since 2.6 :eval re_union)
(re.inter RegLan RegLan RegLan :left-assoc :since 2.6 :eval re_inter)
(re.diff RegLan RegLan RegLan :left-assoc :since 2.6 :eval re_diff)
(re.* RegLan RegLan :since 2.6 :eval re_star)
(re.+ RegLan RegLan :since 2.6 :eval re_plus)
(re.opt RegLan RegLan :since 2.6 :eval re_opt)
(re.comp RegLan RegLan :since 2.6 :eval re_comp :alias (re.complement))
(re.range String String RegLan :since 2.6 :eval re_range)
((_ re.^ n) RegLan RegLan :since 2.6 :eval re_power)
((_ re.loop i j) RegLan RegLan :since 2.6 :eval re_loop)

; cvc5 only
(str.rev String String :by (cvc5) :eval str_rev)
(str.to_lower String String :by (cvc5) :eval str_to_lower :alias (str.tolower))
(str.to_upper String String :by (cvc5) :eval str_to_upper :alias (str.toupper))
(str.update String Int String String :by (cvc5) :eval str_update)
(str.indexof_re String RegLan Int Int :by (cvc5) :eval str_indexof_re)

; z3 only
((_ re.loop i) RegLan RegLan :by (z3) :eval re_loop_from)
(re.loop RegLan Int Int RegLan :by (z3) :eval re_loop_args :no-mutate)
(re.loop RegLan Int RegLan :by (z3) :eval re_loop_from_arg :no-mutate)
(re.reverse RegLan RegLan :by (z3) :eval re_reverse)
(re.xor RegLan RegLan RegLan :left-assoc :by (z3) :eval re_xor)
(re.derivative Unicode RegLan RegLan :by (z3) :eval re_derivative)
(re.of.pred (Array Unicode Bool) RegLan :by (z3) :no-mutate)
(str.indexof String String Int :by (z3) :eval str_indexof_start)
(str.power String Int String :by (z3) :eval str_power)
(str.from_ubv (_ BitVec m) String :by (z3) :eval str_from_ubv)
(str.from_sbv (_ BitVec m) String :by (z3) :eval str_from_sbv)
(str.++ String String :by (z3) :eval str_concat :no-mutate)
(re.++ RegLan RegLan :by (z3) :eval re_concat :no-mutate)
(re.union RegLan RegLan :by (z3) :eval re_union :no-mutate)
(re.inter RegLan RegLan :by (z3) :eval re_inter :no-mutate)

; z3's characters: sort Unicode; String is its (Seq Unicode)
((_ Char n) Unicode :guard (<= n 196607) :by (z3) :eval char_of)
(char.<= Unicode Unicode Bool :by (z3) :eval char_le)
(char.to_int Unicode Int :by (z3) :eval char_to_int)
(char.to_bv Unicode (_ BitVec 18) :by (z3) :eval char_to_bv)
(char.from_bv (_ BitVec 18) Unicode :by (z3) :eval char_from_bv :under "code above 0x2FFFF")
(char.is_digit Unicode Bool :by (z3) :eval char_is_digit)
