(declare-const s (Seq Int))
(assert (= s (as seq.empty Int)))
