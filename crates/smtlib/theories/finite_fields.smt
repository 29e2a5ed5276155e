; FiniteFields: prime fields (_ FiniteField p), p prime. cvc5 since 1.0.6 (ff.bitsum
; later), z3 since 5.3.0.
;
; Literals, not rows: (as ff3 (_ FiniteField 7)), where the number is taken modulo p and may be negative, and
; #f3m7. (ff.bitsum x0 x1 x2 …) is x0 + 2*x1 + 4*x2 + …, so it is n-ary and not associative.
;
; Surprises: z3 5.4.0 has the theory with cvc5's names, literals included. cvc5 1.4.2's Python wheels type-check
; it but cannot solve it (built without CoCoA). #f-3m7 is taken by z3 and rejected by cvc5, both take ff-3.
; There is no subtraction, division or inverse. One argument is too few for all three n-ary operators.
(theory FiniteFields)

(ff.add (_ FiniteField p) (_ FiniteField p) (_ FiniteField p) :left-assoc :by (z3 cvc5) :eval ff_add)
(ff.mul (_ FiniteField p) (_ FiniteField p) (_ FiniteField p) :left-assoc :by (z3 cvc5) :eval ff_mul)
(ff.neg (_ FiniteField p) (_ FiniteField p) :by (z3 cvc5) :eval ff_neg)
(ff.bitsum (_ FiniteField p) (_ FiniteField p) (_ FiniteField p) :nary :by (z3 cvc5) :eval ff_bitsum)
