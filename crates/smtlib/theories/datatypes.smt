; Datatypes: the operators that no declaration introduces (SMT-LIB 2.6 and 2.7), and cvc5's tuples and
; nullables, which are built-in datatypes. Constructors, selectors and the old testers `is-c` come from
; declare-datatypes; `match` is syntax.
;
; Under-specified: a selector applied to a value of another constructor, nullable.val of null. An update of a
; field that the value does not have leaves the value as it is.
;
; Unexpected behaviour, observed in z3 5.4.0 and cvc5 1.4.2:
; - the functional update is (_ update s) in cvc5 and (_ update-field s) in z3.
; - both still take the tester `is-c`; cvc5 does not take `_` as a pattern of match, z3 does.
; - the empty tuple is `tuple.unit` or `(tuple)`, its sort is UnitTuple; `(Tuple)` is no sort.
; - nullable.lift takes a function value, or an operator or function as an index: (_ nullable.lift +).
; Rows over tuples are written out up to four components.
(theory Datatypes :since 2.6)

(par (D) ((_ is $c) D Bool :since 2.6 :eval dt_is))
(par (D F) ((_ update $s) D F D :guard (fun $s D F) :by (cvc5) :eval dt_update))
(par (D F) ((_ update-field $s) D F D :guard (fun $s D F) :by (z3) :eval dt_update))

; tuples, cvc5
(tuple.unit UnitTuple :by (cvc5) :eval tuple_unit)
(par (A) (tuple A (Tuple A) :by (cvc5) :eval tuple_make))
(par (A B) (tuple A B (Tuple A B) :by (cvc5) :eval tuple_make))
(par (A B C) (tuple A B C (Tuple A B C) :by (cvc5) :eval tuple_make))
(par (A B C D) (tuple A B C D (Tuple A B C D) :by (cvc5) :eval tuple_make))
(par (A) ((_ tuple.select i) (Tuple A) A :guard (= i 0) :by (cvc5) :eval tuple_select :alias (tuple_select)))
(par (A B) ((_ tuple.select i) (Tuple A B) A :guard (= i 0) :by (cvc5) :eval tuple_select :alias (tuple_select)))
(par (A B) ((_ tuple.select i) (Tuple A B) B :guard (= i 1) :by (cvc5) :eval tuple_select :alias (tuple_select)))
(par (A B C) ((_ tuple.select i) (Tuple A B C) A :guard (= i 0) :by (cvc5) :eval tuple_select :alias (tuple_select)))
(par (A B C) ((_ tuple.select i) (Tuple A B C) B :guard (= i 1) :by (cvc5) :eval tuple_select :alias (tuple_select)))
(par (A B C) ((_ tuple.select i) (Tuple A B C) C :guard (= i 2) :by (cvc5) :eval tuple_select :alias (tuple_select)))
(par (A B C D) ((_ tuple.select i) (Tuple A B C D) A :guard (= i 0) :by (cvc5) :eval tuple_select :alias (tuple_select)))
(par (A B C D) ((_ tuple.select i) (Tuple A B C D) B :guard (= i 1) :by (cvc5) :eval tuple_select :alias (tuple_select)))
(par (A B C D) ((_ tuple.select i) (Tuple A B C D) C :guard (= i 2) :by (cvc5) :eval tuple_select :alias (tuple_select)))
(par (A B C D) ((_ tuple.select i) (Tuple A B C D) D :guard (= i 3) :by (cvc5) :eval tuple_select :alias (tuple_select)))
(par (A) ((_ tuple.update i) (Tuple A) A (Tuple A) :guard (= i 0) :by (cvc5) :eval tuple_update :alias (tuple_update)))
(par (A B) ((_ tuple.update i) (Tuple A B) A (Tuple A B) :guard (= i 0) :by (cvc5) :eval tuple_update :alias (tuple_update)))
(par (A B) ((_ tuple.update i) (Tuple A B) B (Tuple A B) :guard (= i 1) :by (cvc5) :eval tuple_update :alias (tuple_update)))
(par (A B C) ((_ tuple.update i) (Tuple A B C) A (Tuple A B C) :guard (= i 0) :by (cvc5) :eval tuple_update :alias (tuple_update)))
(par (A B C) ((_ tuple.update i) (Tuple A B C) B (Tuple A B C) :guard (= i 1) :by (cvc5) :eval tuple_update :alias (tuple_update)))
(par (A B C) ((_ tuple.update i) (Tuple A B C) C (Tuple A B C) :guard (= i 2) :by (cvc5) :eval tuple_update :alias (tuple_update)))
(par (A B C D) ((_ tuple.update i) (Tuple A B C D) A (Tuple A B C D) :guard (= i 0) :by (cvc5) :eval tuple_update :alias (tuple_update)))
(par (A B C D) ((_ tuple.update i) (Tuple A B C D) B (Tuple A B C D) :guard (= i 1) :by (cvc5) :eval tuple_update :alias (tuple_update)))
(par (A B C D) ((_ tuple.update i) (Tuple A B C D) C (Tuple A B C D) :guard (= i 2) :by (cvc5) :eval tuple_update :alias (tuple_update)))
(par (A B C D) ((_ tuple.update i) (Tuple A B C D) D (Tuple A B C D) :guard (= i 3) :by (cvc5) :eval tuple_update :alias (tuple_update)))
(tuple.project (Tuple *) UnitTuple :by (cvc5) :eval tuple_project)
(par (A) ((_ tuple.project i) (Tuple A) (Tuple A) :guard (= i 0) :by (cvc5) :eval tuple_project))
(par (A B) ((_ tuple.project i) (Tuple A B) (Tuple A) :guard (= i 0) :by (cvc5) :eval tuple_project))
(par (A B) ((_ tuple.project i) (Tuple A B) (Tuple B) :guard (= i 1) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i) (Tuple A B C) (Tuple A) :guard (= i 0) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i) (Tuple A B C) (Tuple B) :guard (= i 1) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i) (Tuple A B C) (Tuple C) :guard (= i 2) :by (cvc5) :eval tuple_project))
(par (A B) ((_ tuple.project i j) (Tuple A B) (Tuple A A) :guard (and (= i 0) (= j 0)) :by (cvc5) :eval tuple_project))
(par (A B) ((_ tuple.project i j) (Tuple A B) (Tuple A B) :guard (and (= i 0) (= j 1)) :by (cvc5) :eval tuple_project))
(par (A B) ((_ tuple.project i j) (Tuple A B) (Tuple B A) :guard (and (= i 1) (= j 0)) :by (cvc5) :eval tuple_project))
(par (A B) ((_ tuple.project i j) (Tuple A B) (Tuple B B) :guard (and (= i 1) (= j 1)) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i j) (Tuple A B C) (Tuple A A) :guard (and (= i 0) (= j 0)) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i j) (Tuple A B C) (Tuple A B) :guard (and (= i 0) (= j 1)) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i j) (Tuple A B C) (Tuple A C) :guard (and (= i 0) (= j 2)) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i j) (Tuple A B C) (Tuple B A) :guard (and (= i 1) (= j 0)) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i j) (Tuple A B C) (Tuple B B) :guard (and (= i 1) (= j 1)) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i j) (Tuple A B C) (Tuple B C) :guard (and (= i 1) (= j 2)) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i j) (Tuple A B C) (Tuple C A) :guard (and (= i 2) (= j 0)) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i j) (Tuple A B C) (Tuple C B) :guard (and (= i 2) (= j 1)) :by (cvc5) :eval tuple_project))
(par (A B C) ((_ tuple.project i j) (Tuple A B C) (Tuple C C) :guard (and (= i 2) (= j 2)) :by (cvc5) :eval tuple_project))

; nullables, cvc5 1.2 and later
(par (T) (nullable.null (Nullable T) :qualified :by (cvc5) :eval nullable_null))
(par (T) (nullable.some T (Nullable T) :by (cvc5) :eval nullable_some))
(par (T) (nullable.val (Nullable T) T :by (cvc5) :eval nullable_val :under "null"))
(par (T) (nullable.is_null (Nullable T) Bool :by (cvc5) :eval nullable_is_null))
(par (T) (nullable.is_some (Nullable T) Bool :by (cvc5) :eval nullable_is_some))
(par (A R) (nullable.lift (-> A R) (Nullable A) (Nullable R) :by (cvc5) :eval nullable_lift))
(par (A B R) (nullable.lift (-> A B R) (Nullable A) (Nullable B) (Nullable R) :by (cvc5) :eval nullable_lift))
(par (A B C R) (nullable.lift (-> A B C R) (Nullable A) (Nullable B) (Nullable C) (Nullable R) :by (cvc5) :eval nullable_lift))
(par (A R) ((_ nullable.lift $f) (Nullable A) (Nullable R) :guard (fun $f A R) :by (cvc5) :eval nullable_lift))
(par (A B R) ((_ nullable.lift $f) (Nullable A) (Nullable B) (Nullable R) :guard (fun $f A B R) :by (cvc5) :eval nullable_lift))
(par (A B C R) ((_ nullable.lift $f) (Nullable A) (Nullable B) (Nullable C) (Nullable R) :guard (fun $f A B C R) :by (cvc5) :eval nullable_lift))
