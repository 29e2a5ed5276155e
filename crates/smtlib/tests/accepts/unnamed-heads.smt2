; Only blanks, comments, nothing else.

