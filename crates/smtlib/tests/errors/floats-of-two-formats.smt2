(declare-const x Float32)
(declare-const y Float64)
(assert (fp.lt x y))
