(declare-const |größe| Int)
(assert	(> |größe| |länge|))
