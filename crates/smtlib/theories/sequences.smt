; Sequences: (Seq T) over any sort, z3 (since 4.4) and cvc5 (since 1.0). No standard.
;
; Everything is as for strings (seq.extract is str.substr, seq.at gives a sequence of at most one element).
; Under-specified: seq.nth outside the sequence, a free function of sequence and index; cvc5 gives the same
; freedom. z3's map and fold take arrays, so a z3 lambda serves: (seq.mapi f i s) numbers from i,
; (seq.foldl f b s) applies f to accumulator and element, (seq.foldli f i b s) to index, accumulator, element.
;
; Unexpected behaviour, observed in z3 5.4.0 and cvc5 1.4.2:
; - both take the seq.* names on String; cvc5 also takes str.* on (Seq T), z3 only str.replace_all, str.replace_re
;   and str.replace_re_all. seq.nth on String is z3's alone and gives a Unicode character.
; - seq.last_indexof exists in z3 only, for strings too; there is no str.last_indexof.
; - seq.empty may be qualified with String in z3, not in cvc5.
; - seq.replace_all, seq.power and str.power came to z3 with 5.3.0; before, str.replace_all served sequences.
; - seq.foldl is also seq.fold_left, seq.foldli also seq.fold_lefti.
; - z3 has regular expressions over any sequence, (RegEx (Seq T)) with seq.to.re, seq.in.re and the re.* names;
;   no rows here: that sort is outside the row language. On String they are rows below.
(theory Sequences)

(par (T) (seq.empty (Seq T) :qualified :by (z3 cvc5) :eval seq_empty))
(par (T) (seq.unit T (Seq T) :by (z3 cvc5) :eval seq_unit))
(par (T) (seq.++ (Seq T) (Seq T) (Seq T) :left-assoc :by (z3 cvc5) :eval seq_concat))
(par (T) (seq.len (Seq T) Int :by (z3 cvc5) :eval seq_len))
(par (T) (seq.at (Seq T) Int (Seq T) :by (z3 cvc5) :eval seq_at))
(par (T) (seq.nth (Seq T) Int T :divergent :by (z3 cvc5) :eval seq_nth :under "index outside the sequence"))
(par (T) (seq.extract (Seq T) Int Int (Seq T) :by (z3 cvc5) :eval seq_extract))
(par (T) (seq.contains (Seq T) (Seq T) Bool :by (z3 cvc5) :eval seq_contains))
(par (T) (seq.prefixof (Seq T) (Seq T) Bool :by (z3 cvc5) :eval seq_prefixof))
(par (T) (seq.suffixof (Seq T) (Seq T) Bool :by (z3 cvc5) :eval seq_suffixof))
(par (T) (seq.indexof (Seq T) (Seq T) Int Int :by (z3 cvc5) :eval seq_indexof))
(par (T) (seq.replace (Seq T) (Seq T) (Seq T) (Seq T) :by (z3 cvc5) :eval seq_replace))
(par (T) (seq.replace_all (Seq T) (Seq T) (Seq T) (Seq T) :by (z3 cvc5) :eval seq_replace_all))

; cvc5 only
(par (T) (seq.rev (Seq T) (Seq T) :by (cvc5) :eval seq_rev))
(par (T) (seq.update (Seq T) Int (Seq T) (Seq T) :by (cvc5) :eval seq_update))

; z3 only
(par (T) (seq.++ (Seq T) (Seq T) :by (z3) :eval seq_concat :no-mutate))
(par (T) (seq.indexof (Seq T) (Seq T) Int :by (z3) :eval seq_indexof_start))
(par (T) (seq.last_indexof (Seq T) (Seq T) Int :by (z3) :eval seq_last_indexof))
(par (T) (seq.power (Seq T) Int (Seq T) :by (z3) :eval seq_power))
(par (A B) (seq.map (Array A B) (Seq A) (Seq B) :by (z3) :eval seq_map))
(par (A B) (seq.mapi (Array Int A B) Int (Seq A) (Seq B) :by (z3) :eval seq_mapi))
(par (A B) (seq.foldl (Array B A B) B (Seq A) B :by (z3) :eval seq_foldl :alias (seq.fold_left)))
(par (A B) (seq.foldli (Array Int B A B) Int B (Seq A) B :by (z3) :eval seq_foldli :alias (seq.fold_lefti)))
(par (T) (seq.nth_i (Seq T) Int T :divergent :by (z3) :eval seq_nth :no-mutate :under "index outside the sequence"))
(par (T) (seq.nth_u (Seq T) Int T :divergent :by (z3) :no-mutate :under "always"))

; the seq.* names on String, both
(seq.++ String String String :left-assoc :by (z3 cvc5) :eval str_concat :no-mutate)
(seq.len String Int :by (z3 cvc5) :eval str_len :no-mutate)
(seq.at String Int String :by (z3 cvc5) :eval str_at :no-mutate)
(seq.extract String Int Int String :by (z3 cvc5) :eval str_substr :no-mutate)
(seq.contains String String Bool :by (z3 cvc5) :eval str_contains :no-mutate)
(seq.prefixof String String Bool :by (z3 cvc5) :eval str_prefixof :no-mutate)
(seq.suffixof String String Bool :by (z3 cvc5) :eval str_suffixof :no-mutate)
(seq.indexof String String Int Int :by (z3 cvc5) :eval str_indexof :no-mutate)
(seq.replace String String String String :by (z3 cvc5) :eval str_replace :no-mutate)
(seq.replace_all String String String String :by (z3 cvc5) :eval str_replace_all :no-mutate)
(seq.rev String String :by (cvc5) :eval str_rev :no-mutate)
(seq.update String Int String String :by (cvc5) :eval str_update :no-mutate)
(seq.empty String :qualified :by (z3) :eval str_empty :no-mutate)
(seq.unit Unicode String :by (z3) :eval str_of_char)
(seq.nth String Int Unicode :divergent :by (z3) :eval str_nth :under "index outside the string")
(seq.indexof String String Int :by (z3) :eval str_indexof_start :no-mutate)
(seq.last_indexof String String Int :by (z3) :eval str_last_indexof)
(seq.power String Int String :by (z3) :eval str_power :no-mutate)
(seq.to.re String RegLan :by (z3) :eval str_to_re :no-mutate)
(seq.in.re String RegLan Bool :by (z3) :eval str_in_re :no-mutate)
(seq.replace_re String RegLan String String :by (z3) :eval str_replace_re :no-mutate)
(seq.replace_re_all String RegLan String String :by (z3) :eval str_replace_re_all :no-mutate)
(par (B) (seq.map (Array Unicode B) String (Seq B) :by (z3) :eval str_map))
(par (B) (seq.foldl (Array B Unicode B) B String B :by (z3) :eval str_foldl :alias (seq.fold_left)))

; the str.* names on sequences
(par (T) (str.++ (Seq T) (Seq T) (Seq T) :left-assoc :by (cvc5) :eval seq_concat :no-mutate))
(par (T) (str.len (Seq T) Int :by (cvc5) :eval seq_len :no-mutate))
(par (T) (str.at (Seq T) Int (Seq T) :by (cvc5) :eval seq_at :no-mutate))
(par (T) (str.substr (Seq T) Int Int (Seq T) :by (cvc5) :eval seq_extract :no-mutate))
(par (T) (str.contains (Seq T) (Seq T) Bool :by (cvc5) :eval seq_contains :no-mutate))
(par (T) (str.prefixof (Seq T) (Seq T) Bool :by (cvc5) :eval seq_prefixof :no-mutate))
(par (T) (str.suffixof (Seq T) (Seq T) Bool :by (cvc5) :eval seq_suffixof :no-mutate))
(par (T) (str.indexof (Seq T) (Seq T) Int Int :by (cvc5) :eval seq_indexof :no-mutate))
(par (T) (str.replace (Seq T) (Seq T) (Seq T) (Seq T) :by (cvc5) :eval seq_replace :no-mutate))
(par (T) (str.rev (Seq T) (Seq T) :by (cvc5) :eval seq_rev :no-mutate))
(par (T) (str.update (Seq T) Int (Seq T) (Seq T) :by (cvc5) :eval seq_update :no-mutate))
(par (T) (str.replace_all (Seq T) (Seq T) (Seq T) (Seq T) :by (z3 cvc5) :eval seq_replace_all :no-mutate))
