; Sets as arrays: z3 reads (Set T) as (Array T Bool), infinite sets included; cvc4 had finite sets under the
; same operator names. No standard. Rows come twice, for sets declared as (Set T) and as (Array T Bool),
; so that the result has the sort the script would write; this file is read before arrays.smt for that reason.
;
; The empty set is ((as const (Set T)) false), the full one ((as const (Set T)) true).
;
; Unexpected behaviour, observed in z3 5.4.0:
; - set-has-size and card were in 4.8.5 and gone by 4.8.12.
; - the names are union, intersection, setminus, complement and subset; intersect and difference, which its
;   source once had, are not, nor is member.
; - union and intersection take any number of arguments from one up; the others a fixed number.
; - all need no logic, ALL or HORN.
(theory Z3Sets)

; declared as (Set T)
(par (T) (select (Set T) T Bool :by (z3) :eval array_select))
(par (T) (store (Set T) T Bool (Set T) :by (z3) :eval array_store))
(par (T) (const Bool (Set T) :constant 0 :qualified :by (z3) :eval array_const))
(par (T) (union (Set T) (Set T) (Set T) :left-assoc :by (z3) :eval array_set_union))
(par (T) (intersection (Set T) (Set T) (Set T) :left-assoc :by (z3) :eval array_set_inter))
(par (T) (setminus (Set T) (Set T) (Set T) :by (z3) :eval array_set_minus))
(par (T) (complement (Set T) (Set T) :by (z3) :eval array_set_complement))
(par (T) (subset (Set T) (Set T) Bool :by (z3) :eval array_set_subset))

; declared as (Array T Bool), or mixed
(par (T) (union (Array T Bool) (Array T Bool) (Array T Bool) :left-assoc :by (z3) :eval array_set_union))
(par (T) (intersection (Array T Bool) (Array T Bool) (Array T Bool) :left-assoc :by (z3) :eval array_set_inter))
(par (T) (setminus (Array T Bool) (Array T Bool) (Array T Bool) :by (z3) :eval array_set_minus))
(par (T) (complement (Array T Bool) (Array T Bool) :by (z3) :eval array_set_complement))
(par (T) (subset (Array T Bool) (Array T Bool) Bool :by (z3) :eval array_set_subset))
(par (T) (union (Array T Bool) (Array T Bool) :by (z3) :eval array_set_union :no-mutate))
(par (T) (intersection (Array T Bool) (Array T Bool) :by (z3) :eval array_set_inter :no-mutate))

; z3 4.8.5 and older
(par (T) (set-has-size (Array T Bool) Int Bool :by () :eval array_set_has_size :no-mutate))
(par (T) (card (Array T Bool) Int :by () :eval array_set_card :no-mutate :under "infinite sets"))
