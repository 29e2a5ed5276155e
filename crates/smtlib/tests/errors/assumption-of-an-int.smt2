(declare-const x Int)
(check-sat-assuming (x))
