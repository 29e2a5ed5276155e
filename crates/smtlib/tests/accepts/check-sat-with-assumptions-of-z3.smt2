(declare-const p Bool)
(check-sat p (not p))
(check-sat)
