; ArraysEx: functional arrays with extensionality (SMT-LIB 2.0 to 2.7), with what z3 and cvc5 add.
;
; Nothing standard is under-specified. `(as const (Array X Y))` is a constant array; cvc5 wants a value
; there, z3 any term. z3's `default` is the value outside a finite set of exceptions: on an infinite
; index sort it is determined for arrays built from const and store, and left open for others.
; A guard (fun $f S… T) says that the index names a function of that rank, and binds T.
;
; Unexpected behaviour, observed in z3 5.4.0 and cvc5 1.4.2:
; - cvc5 type-checks constant arrays and refuses them at check-sat without --arrays-exp.
; - z3 wants no logic, ALL or HORN for everything but select, store and const.
; - z3's arrays take several indices: (Array X Y Z) is indexed by X and Y; rows below for two.
; - z3 reads functions as arrays and arrays as functions: (= f g), (select f i) and (A i) are taken.
; - `_ map` names a built-in with its rank, (_ map (+ (Int Int) Int)), or plainly if it is Core's.
(theory ArraysEx :since 2.0 :logic (arrays) :standard-only)

(par (X Y) (select (Array X Y) X Y :since 2.0 :eval array_select))
(par (X Y) (store (Array X Y) X Y (Array X Y) :since 2.0 :eval array_store))
(par (X Y) (const Y (Array X Y) :constant 0 :qualified :by (z3 cvc5 bitwuzla) :eval array_const))

; cvc5 only: equal at every index from the first bound to the second; integer or word indices
(par (Y) (eqrange (Array Int Y) (Array Int Y) Int Int Bool :by (cvc5) :eval array_eqrange))
(par (Y) (eqrange (Array (_ BitVec m) Y) (Array (_ BitVec m) Y) (_ BitVec m) (_ BitVec m) Bool :by (cvc5) :eval array_eqrange))

; z3 only
(par (X Y) (default (Array X Y) Y :divergent :by (z3) :eval array_default :under "index sort infinite and array not built from const and store"))
(par (X Y Z) ((_ map $f) (Array X Y) (Array X Z) :guard (fun $f Y Z) :by (z3) :eval array_map))
(par (X Y Z W) ((_ map $f) (Array X Y) (Array X Z) (Array X W) :guard (fun $f Y Z W) :by (z3) :eval array_map))
(par (X Y Z V W) ((_ map $f) (Array X Y) (Array X Z) (Array X V) (Array X W) :guard (fun $f Y Z V W) :by (z3) :eval array_map))
(par (X Y) ((_ as-array $f) (Array X Y) :guard (fun $f X Y) :by (z3) :eval array_of_function))
(par (X Y Z) ((_ as-array $f) (Array X Y Z) :guard (fun $f X Y Z) :by (z3) :no-mutate))
(par (X Y) (array-ext (Array X Y) (Array X Y) X :divergent :by (z3) :eval array_ext :no-mutate :under "any index where the arrays differ"))
(par (X Y Z) (select (Array X Y Z) X Y Z :by (z3) :eval array_select))
(par (X Y Z) (store (Array X Y Z) X Y Z (Array X Y Z) :by (z3) :eval array_store))
(par (X Y Z) (const Z (Array X Y Z) :constant 0 :qualified :by (z3) :eval array_const))
