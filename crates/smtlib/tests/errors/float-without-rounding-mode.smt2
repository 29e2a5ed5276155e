(declare-const x Float32)
(assert (fp.eq (fp.add x x) x))
