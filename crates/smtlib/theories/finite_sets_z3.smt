; FiniteSets of z3: sort (FiniteSet T), since 5.0.0. No standard.
;
; Sets are finite; set.size is their size, (set.range i j) the integers from i to j, empty if i > j.
; Functions are arrays: set.map wants (Array A B), set.filter (Array A Bool), so a z3 lambda serves.
; set.diff is the witness of extensionality: some element in exactly one of two different sets.
;
; Unexpected behaviour, observed in z3 5.4.0:
; - set.singleton, set.union, set.subset, set.map and set.filter share their names with cvc5's (Set T);
;   only the sorts of arguments distinguish them, and for set.singleton only the expected sort does.
; - set.select of the first drafts is set.filter in every release; there is no complement, insert or choose.
; - models print ((as set.unique (FiniteSet Int)) 1 2), which z3 itself does not read back: the first of its sets
;   that have so many elements, here two, and nothing says which. So it has no value, and nothing is refuted by it.
; - set.union and set.intersect take three arguments, set.difference two, none takes one.
(theory FiniteSets)

(par (T) (set.empty (FiniteSet T) :qualified :by (z3) :eval set_empty))
(par (T) (set.singleton T (FiniteSet T) :by (z3) :eval set_singleton))
(par (T) (set.union (FiniteSet T) (FiniteSet T) (FiniteSet T) :left-assoc :by (z3) :eval set_union))
(par (T) (set.intersect (FiniteSet T) (FiniteSet T) (FiniteSet T) :left-assoc :by (z3) :eval set_inter))
(par (T) (set.difference (FiniteSet T) (FiniteSet T) (FiniteSet T) :by (z3) :eval set_minus))
(par (T) (set.in T (FiniteSet T) Bool :by (z3) :eval set_member))
(par (T) (set.subset (FiniteSet T) (FiniteSet T) Bool :by (z3) :eval set_subset))
(par (T) (set.size (FiniteSet T) Int :by (z3) :eval set_card))
(par (A B) (set.map (Array A B) (FiniteSet A) (FiniteSet B) :by (z3) :eval set_map))
(par (T) (set.filter (Array T Bool) (FiniteSet T) (FiniteSet T) :by (z3) :eval set_filter))
(set.range Int Int (FiniteSet Int) :by (z3) :eval set_range)
(par (T) (set.diff (FiniteSet T) (FiniteSet T) T :by (z3) :eval set_diff_witness :no-mutate :under "any element in one set only; anything if the sets are equal"))
(par (A B) (set.map.inverse (Array A B) B (FiniteSet A) A :by (z3) :no-mutate :under "any preimage; anything if there is none"))
; a value in z3's models only
(par (T) (set.unique Int Int (FiniteSet T) :qualified :by () :no-mutate))
