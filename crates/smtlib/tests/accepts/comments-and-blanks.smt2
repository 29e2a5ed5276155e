; a comment
;; another

(declare-const x Int) ; behind a command
(assert ; inside
  (= x ; deeper )
     1))	(check-sat)
; the end
