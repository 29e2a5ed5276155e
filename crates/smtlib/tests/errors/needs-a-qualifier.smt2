(declare-const s (Seq Int))
(assert (= s seq.empty))
