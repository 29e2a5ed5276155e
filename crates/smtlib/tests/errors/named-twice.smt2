(assert (! true :named a))
(assert (! false :named a))
