use super::agree;

#[test]
fn core_operators() {
    agree(&[
        ("(and true false true)", "false"),
        ("(or false true)", "true"),
        ("(=> true false true)", "true"),
        ("(=> true true false)", "false"),
        ("(xor true true true)", "true"),
        ("(= 1 1 1)", "true"),
        ("(= 1 1 2)", "false"),
        ("(distinct 1 2 1)", "false"),
        ("(distinct 1 2 3)", "true"),
        ("(ite (< 1 2) 3 4)", "3"),
        ("((_ at-most 1) true true false)", "false"),
        ("((_ at-least 2) true true false)", "true"),
        ("((_ pble 3 1 2) true true)", "true"),
        ("((_ pbge 4 1 2) true true)", "false"),
        ("((_ pbeq 2 1 2) false true)", "true"),
    ]);
}

#[test]
fn integer_operators() {
    agree(&[
        ("(+ 1 2 3)", "6"),
        ("(- 1 2 3)", "(- 4)"),
        ("(- 5)", "(- 5)"),
        ("(* 100000000000 100000000000)", "10000000000000000000000"),
        ("(div (- 7) 2)", "(- 4)"),
        ("(div 7 (- 2))", "(- 3)"),
        ("(mod (- 7) 2)", "1"),
        ("(mod (- 7) (- 2))", "1"),
        ("(rem 5 (- 3))", "(- 2)"),
        ("(rem (- 5) 3)", "1"),
        ("(div 100 7 2)", "7"),
        ("(abs (- 3))", "3"),
        ("(< 1 2 3)", "true"),
        ("(<= 1 3 2)", "false"),
        ("(^ 2 10)", "1024"),
        ("((_ divisible 3) 9)", "true"),
        ("(int.pow2 5)", "32"),
        ("(int.pow2 (- 5))", "0"),
        ("(int.log2 9)", "3"),
        ("((_ iand 4) 13 (- 1))", "13"),
        ("(piand 3 15 10)", "2"),
        ("(div_total 5 0)", "0"),
        ("(mod_total 5 0)", "5"),
    ]);
}

#[test]
fn real_operators() {
    agree(&[
        ("(+ 0.5 0.25)", "(/ 3 4)"),
        ("(/ 1.0 3.0)", "(/ 1 3)"),
        ("(/ 1 3)", "(/ 1 3)"),
        ("(to_int (- 0.5))", "(- 1)"),
        ("(to_real 3)", "3.0"),
        ("(is_int 2.0)", "true"),
        ("(abs (- 1.5))", "(/ 3 2)"),
        ("(^ 1.5 2.0)", "(/ 9 4)"),
        ("(< 0.1 0.2 0.15)", "false"),
        ("(= 0.50 (/ 1 2))", "true"),
        ("(/_total 1.0 0.0)", "0.0"),
    ]);
}

#[test]
fn transcendental_questions_are_decided_by_intervals() {
    agree(&[
        ("(< (sin 1.0) 0.85)", "true"),
        ("(< 0.84 (sin 1.0))", "true"),
        ("(= (exp 0.0) 1.0)", "true"),
        ("(> real.pi 3.14159)", "true"),
        ("(= (sqrt 4.0) 2.0)", "true"),
        ("(= (* (sqrt 2.0) (sqrt 2.0)) 2.0)", "true"),
        ("(to_int (* 10.0 (exp 1.0)))", "27"),
        ("(< (+ (sin 1.0) (cos 1.0)) (/ 139 100))", "true"),
        ("(= (sin 1.0) (sin 1.0))", "true"),
        (
            "(= (* (sin 1.0) (sin 1.0)) (- 1.0 (* (cos 1.0) (cos 1.0))))",
            "unknown: intervals do not decide it",
        ),
    ]);
}

#[test]
fn bit_vector_operators() {
    agree(&[
        ("(bvadd #xff #x01)", "#x00"),
        ("(bvadd #x01 #x02 #x03)", "#x06"),
        ("(bvudiv #x05 #x00)", "#xff"),
        ("(bvurem #x05 #x00)", "#x05"),
        ("(bvsdiv #xfb #x02)", "#xfe"),
        ("(bvsrem #xfb #x02)", "#xff"),
        ("(bvsmod #xfb #x02)", "#x01"),
        ("(concat #b1 #b0 #b1)", "#b101"),
        ("((_ extract 5 2) #b00111100)", "#xf"),
        ("((_ zero_extend 4) #xf)", "#x0f"),
        ("((_ sign_extend 4) #xf)", "#xff"),
        ("((_ rotate_left 1) #b1000)", "#x1"),
        ("((_ repeat 2) #xa)", "#xaa"),
        ("(bvshl #x01 #x09)", "#x00"),
        ("(bvashr #x80 #x09)", "#xff"),
        ("(bvcomp #x01 #x01)", "#b1"),
        ("(bvslt #xff #x00)", "true"),
        ("(bvult #xff #x00)", "false"),
        ("(bvsmulo #x7f #x02)", "true"),
        ("(bvuaddo #xff #x01)", "true"),
        ("(bvnego #x80)", "true"),
        ("(ubv_to_int #xff)", "255"),
        ("(sbv_to_int #xff)", "(- 1)"),
        ("((_ int_to_bv 8) (- 1))", "#xff"),
        ("((_ int2bv 8) 257)", "#x01"),
        ("(bvredor #x00)", "#b0"),
        ("(bvredand #xff)", "#b1"),
        ("(bvite #b1 #x01 #x02)", "#x01"),
        ("(bvxnor #x0f #x3c)", "#xcc"),
        (
            "(_ bv18446744073709551616 65)",
            "#b10000000000000000000000000000000000000000000000000000000000000000",
        ),
    ]);
}

#[test]
fn floating_point_operators() {
    agree(&[
        (
            "(fp.add RNE ((_ to_fp 8 24) RNE 1.0) ((_ to_fp 8 24) RNE 2.0))",
            "(fp #b0 #b10000000 #b10000000000000000000000)",
        ),
        ("(fp.isNaN (fp.div RNE (_ +zero 5 11) (_ +zero 5 11)))", "true"),
        ("(= (_ +zero 5 11) (_ -zero 5 11))", "false"),
        ("(fp.eq (_ +zero 5 11) (_ -zero 5 11))", "true"),
        ("(= (_ NaN 5 11) (fp #b1 #b11111 #b0000000001))", "true"),
        ("(fp.to_real ((_ to_fp 8 24) RNE 0.1))", "(/ 13421773 134217728)"),
        ("((_ fp.to_sbv 8) RTZ ((_ to_fp 8 24) RNE (- 1.5)))", "#xff"),
        ("((_ fp.to_ubv 8) RNE ((_ to_fp 8 24) RNE 2.5))", "#x02"),
        ("((_ to_fp 5 11) RNE #b11111111)", "(fp #b1 #b01111 #b0000000000)"),
        ("((_ to_fp_unsigned 5 11) RNE #b11)", "(fp #b0 #b10000 #b1000000000)"),
        ("((_ to_fp 5 11) #x3c00)", "(fp #b0 #b01111 #b0000000000)"),
        ("((_ to_fp 5 11) RNE 2 3.0)", "(fp #b0 #b10010 #b1000000000)"),
        ("(fp.to_ieee_bv ((_ to_fp 5 11) RNE 1.0))", "#x3c00"),
        ("(fp.lt (_ -oo 5 11) ((_ to_fp 5 11) RNE 1.0) (_ +oo 5 11))", "true"),
        ("(fp.max (_ NaN 5 11) (_ -oo 5 11))", "(_ -oo 5 11)"),
        ("roundTowardZero", "RTZ"),
        ("((_ to_fp 8 24) RNE (sqrt 2.0))", "(fp #b0 #b01111111 #b01101010000010011110011)"),
    ]);
}

#[test]
fn string_operators() {
    agree(&[
        (r#"(str.++ "a" "b" "c")"#, r#""abc""#),
        (r#"(str.len "a\u{1f600}b")"#, "3"),
        (r#"(str.at "abc" 1)"#, r#""b""#),
        (r#"(str.at "abc" (- 1))"#, r#""""#),
        (r#"(str.substr "abcde" 1 3)"#, r#""bcd""#),
        (r#"(str.indexof "abcabc" "c" 3)"#, "5"),
        (r#"(str.indexof "abc" "" 4)"#, "(- 1)"),
        (r#"(str.replace "abcabc" "b" "x")"#, r#""axcabc""#),
        (r#"(str.replace_all "abcabc" "b" "x")"#, r#""axcaxc""#),
        (r#"(str.replace_re "xabby" (re.+ (str.to_re "b")) "!")"#, r#""xa!by""#),
        (r#"(str.to_int "0123")"#, "123"),
        (r#"(str.to_int "-1")"#, "(- 1)"),
        (r#"(str.from_int (- 3))"#, r#""""#),
        (r#"(str.to_code "a")"#, "97"),
        (r#"(str.from_code 97)"#, r#""a""#),
        (r#"(str.< "a" "b")"#, "true"),
        (r#"(str.in_re "abab" (re.* (str.to_re "ab")))"#, "true"),
        (r#"(str.in_re "abc" (re.comp re.all))"#, "false"),
        (r#"(str.in_re "aa" ((_ re.loop 1 3) (re.range "a" "c")))"#, "true"),
        (r#"(= (re.union (str.to_re "a") (str.to_re "b")) (re.range "a" "b"))"#, "true"),
        (r#"(= (re.* (str.to_re "a")) (re.+ (str.to_re "a")))"#, "false"),
        (r#"(str.rev "abc")"#, r#""cba""#),
        (r#"(str.update "abcd" 1 "XY")"#, r#""aXYd""#),
        (r#"(seq.nth "abc" 1)"#, "(_ Char 98)"),
        (r#"(str.is_digit "7")"#, "true"),
    ]);
}

#[test]
fn sequences_sets_bags_and_fields() {
    agree(&[
        ("(seq.++ (seq.unit 1) (seq.unit 2))", "(seq.++ (seq.unit 1) (seq.unit 2))"),
        ("(seq.len (as seq.empty (Seq Int)))", "0"),
        ("(seq.nth (seq.++ (seq.unit 7) (seq.unit 8)) 1)", "8"),
        ("(seq.indexof (seq.++ (seq.unit 7) (seq.unit 8)) (seq.unit 8) 0)", "1"),
        ("(seq.rev (seq.++ (seq.unit 7) (seq.unit 8)))", "(seq.++ (seq.unit 8) (seq.unit 7))"),
        ("(seq.foldl (lambda ((a Int) (x Int)) (+ (* 10 a) x)) 0 (seq.++ (seq.unit 7) (seq.unit 8)))", "78"),
        (
            "(seq.mapi (lambda ((i Int) (x Int)) (+ i x)) 5 (seq.++ (seq.unit 7) (seq.unit 8)))",
            "(seq.++ (seq.unit 12) (seq.unit 14))",
        ),
        ("(set.member 1 (set.insert 1 2 (set.singleton 3)))", "true"),
        ("(set.card (set.union (set.singleton 1) (set.singleton 2) (set.singleton 1)))", "2"),
        (
            "(set.minus (set.insert 1 2 (set.singleton 3)) (set.singleton 2))",
            "(set.union (set.singleton 1) (set.singleton 3))",
        ),
        (
            "(set.map (lambda ((x Int)) (* x x)) (set.insert 1 (- 1) (set.singleton 3)))",
            "(set.union (set.singleton 1) (set.singleton 9))",
        ),
        ("(set.fold (lambda ((x Int) (a Int)) (+ x a)) 0 (set.insert 1 2 (set.singleton 3)))", "6"),
        (
            "(set.fold (lambda ((x Int) (a Int)) (- x a)) 0 (set.insert 1 2 (set.singleton 3)))",
            "unknown: the result depends on the order of elements",
        ),
        (
            "(rel.tclosure (set.insert (tuple 1 2) (set.singleton (tuple 2 3))))",
            "(set.union (set.singleton (tuple 1 2)) (set.singleton (tuple 1 3)) (set.singleton (tuple 2 3)))",
        ),
        ("(rel.join (set.singleton (tuple 1 2)) (set.singleton (tuple 2 3)))", "(set.singleton (tuple 1 3))"),
        ("(bag.count 1 (bag.union_disjoint (bag 1 2) (bag 1 3)))", "5"),
        ("(bag.count 1 (bag.union_max (bag 1 2) (bag 1 3)))", "3"),
        ("(bag.card (bag 1 (- 3)))", "0"),
        ("(bag.difference_subtract (bag 1 5) (bag 1 2))", "(bag 1 3)"),
        ("((_ tuple.select 1) (tuple 1 true))", "true"),
        ("(nullable.lift (lambda ((x Int)) (+ x 1)) (nullable.some 4))", "(nullable.some 5)"),
        ("(ff.mul (as ff3 (_ FiniteField 7)) (as ff5 (_ FiniteField 7)))", "(as ff1 (_ FiniteField 7))"),
        ("(ff.bitsum #f1m7 #f1m7 #f1m7)", "(as ff0 (_ FiniteField 7))"),
        ("(ff.neg (as ff-3 (_ FiniteField 7)))", "(as ff3 (_ FiniteField 7))"),
    ]);
}

/// Each line notices a mutant of the evaluator that the other tests did not.
#[test]
fn operators_at_the_borders_of_their_cases() {
    agree(&[
        (
            "(rel.join_image (set.insert (tuple 1 2) (tuple 1 3) (set.singleton (tuple 2 2))) 2)",
            "(set.singleton (tuple 1))",
        ),
        ("(bag.filter (lambda ((x Int)) (> x 1)) (bag.union_disjoint (bag 1 2) (bag 2 3)))", "(bag 2 3)"),
        ("(seq.power (seq.unit 7) 3)", "(seq.++ (seq.unit 7) (seq.unit 7) (seq.unit 7))"),
        ("(seq.len (seq.power (seq.unit 7) (- 1)))", "0"),
    ]);
}
