//! The figures as CSV: one line per theory and release, for other people's plots.

use super::Evolution;

/// Comma-separated, with a header; names hold no comma.
pub fn csv(evolution: &Evolution) -> String {
    let mut out = "theory,formulas,certified,solver,release,sat,unsat,unknown,timeout,rejected,other,unsound,\
                   invalid_model,crash,disagrees,unrepeated,joint,joint_seconds,throughput_per_s,median_ms,fresh,\
                   fresh_median_ms,fresh_solved"
        .to_owned();
    for limit in &evolution.timeouts {
        out += &format!(",solved_{limit}s");
    }
    out.push('\n');
    for (at, theory) in evolution.theories.iter().enumerate() {
        for family in &evolution.families {
            for (release, f) in family.releases.iter().zip(&family.figures[at]) {
                let head = [&theory.name, &theory.formulas.to_string(), &theory.certified.to_string()];
                out += &head.map(String::as_str).join(",");
                out += &format!(",{},{}", release.solver, release.version);
                let counts = [
                    f.sat,
                    f.unsat,
                    f.unknown,
                    f.timeout,
                    f.rejected,
                    f.other,
                    f.unsound,
                    f.invalid_model,
                    f.crash,
                    f.disagrees,
                    f.unrepeated,
                    f.joint,
                ];
                for count in counts {
                    out += &format!(",{count}");
                }
                out += &format!(",{:.3},{:.1},{:.3}", f.joint_seconds, f.throughput, f.median_ms);
                out += &format!(",{},{:.3},{}", f.fresh, f.fresh_median_ms, f.fresh_solved);
                for count in &f.solved {
                    out += &format!(",{count}");
                }
                out.push('\n');
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_line_has_as_many_fields_as_the_header() {
        let text = super::csv(&super::super::tests::sample());
        let widths: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
        assert_eq!(widths.len(), 4);
        assert!(widths.iter().all(|&width| width == widths[0]), "{text}");
    }
}
