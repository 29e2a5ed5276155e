; Sets as arrays: z3 reads (Set T) as (Array T Bool), infinite sets included; cvc4 had finite sets under the
; same operator names. No standard. An array pattern of a row matches a (Set T) too, so select, store, `map`
; and the rows below serve sets whichever way they were declared.
;
; The empty set is ((as const (Set T)) false), the full one ((as const (Set T)) true).
;
; Surprises, z3 5.4.0 asked:
; - set-has-size and card were in 4.8.5 and gone by 4.8.12.
; - the names are union, intersection, setminus, complement and subset; intersect and difference, which its
;   source once had, are not, nor is member.
; - union and intersection take any number of arguments from one up; the others a fixed number.
; - all need no logic, ALL or HORN.
(theory Z3Sets)

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
