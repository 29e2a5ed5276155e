(assert (= # 1))
