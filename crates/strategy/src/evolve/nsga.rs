//! NSGA-II: non-dominated sorting, crowding, survival and tournaments.
//!
//! In: the scores of individuals, one list per individual, every objective to be maximised. Out: numbers of
//! individuals. From: Deb, Agrawal, Pratap, Meyarivan, "A fast elitist non-dominated sorting genetic algorithm for
//! multi-objective optimization: NSGA-II" (PPSN 2000). Nothing here knows what an individual is.

use crate::Rng;

/// An individual that survives: its number, the front it is in (0 is the best) and its crowding distance there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Survivor {
    pub number: usize,
    pub rank: usize,
    pub crowding: f64,
}

/// Whether the first is nowhere worse and somewhere better.
pub fn dominates(a: &[f64], b: &[f64]) -> bool {
    a.iter().zip(b).all(|(a, b)| a >= b) && a.iter().zip(b).any(|(a, b)| a > b)
}

/// Fast non-dominated sorting: the fronts from the best to the worst, each with rising numbers.
pub fn fronts(scores: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let count = scores.len();
    let mut beats: Vec<Vec<usize>> = vec![vec![]; count];
    let mut beaten_by = vec![0usize; count];
    for a in 0..count {
        for b in 0..count {
            if dominates(&scores[a], &scores[b]) {
                beats[a].push(b);
                beaten_by[b] += 1;
            }
        }
    }
    let mut fronts = vec![];
    let mut front: Vec<usize> = (0..count).filter(|&n| beaten_by[n] == 0).collect();
    while !front.is_empty() {
        let mut next = vec![];
        for &a in &front {
            for &b in &beats[a] {
                beaten_by[b] -= 1;
                if beaten_by[b] == 0 {
                    next.push(b);
                }
            }
        }
        next.sort_unstable();
        fronts.push(std::mem::replace(&mut front, next));
    }
    fronts
}

/// NSGA-II's own crowding distance of each member of a front: per objective the gap between its neighbours, as a share
/// of the whole range; members at an end are infinitely far from the others.
pub fn crowding(scores: &[Vec<f64>], front: &[usize]) -> Vec<f64> {
    let mut distance = vec![0.0; front.len()];
    let objectives = front.first().map_or(0, |&n| scores[n].len());
    for values in
        (0..objectives).map(|objective| front.iter().map(|&n| scores[n][objective]).collect::<Vec<f64>>())
    {
        let value = |at: usize| values[at];
        let mut order: Vec<usize> = (0..front.len()).collect();
        order.sort_by(|&a, &b| value(a).total_cmp(&value(b)).then(a.cmp(&b)));
        let (Some(&low), Some(&high)) = (order.first(), order.last()) else { continue };
        let range = value(high) - value(low);
        distance[low] = f64::INFINITY;
        distance[high] = f64::INFINITY;
        if range > 0.0 {
            for three in order.windows(3) {
                distance[three[1]] += (value(three[2]) - value(three[0])) / range;
            }
        }
    }
    distance
}

/// The best `size` individuals: whole fronts as far as they fit, then the least crowded of the next one.
pub fn survivors(
    scores: &[Vec<f64>],
    size: usize,
    crowding_of: impl Fn(&[usize]) -> Vec<f64>,
) -> Vec<Survivor> {
    let mut all = vec![];
    for (rank, front) in fronts(scores).into_iter().enumerate() {
        if all.len() >= size {
            break;
        }
        let distances = crowding_of(&front);
        let mut members: Vec<Survivor> = front
            .into_iter()
            .zip(distances)
            .map(|(number, crowding)| Survivor { number, rank, crowding })
            .collect();
        if all.len() + members.len() > size {
            members.sort_by(|a, b| b.crowding.total_cmp(&a.crowding).then(a.number.cmp(&b.number)));
            members.truncate(size - all.len());
        }
        all.extend(members);
    }
    all
}

/// A candidate in a tournament.
#[derive(Clone, Copy)]
pub struct Candidate<'a> {
    pub scores: &'a [f64],
    pub rank: usize,
    pub crowding: f64,
}

/// Whether the second of two wins. The first generation has no crowding yet: there the front decides. Later dominance
/// decides, then crowding; a tie is decided at random.
pub fn second_wins(first: Candidate<'_>, second: Candidate<'_>, by_rank: bool, rng: &mut Rng) -> bool {
    if by_rank {
        return if first.rank == second.rank { rng.chance(1, 2) } else { second.rank < first.rank };
    }
    if dominates(first.scores, second.scores) {
        return false;
    }
    if dominates(second.scores, first.scores) {
        return true;
    }
    match first.crowding.total_cmp(&second.crowding) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Greater => false,
        std::cmp::Ordering::Equal => rng.chance(1, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CampaignKey;

    fn scores() -> Vec<Vec<f64>> {
        [[5.0, 1.0], [1.0, 5.0], [3.0, 3.0], [1.0, 1.0], [0.0, 0.5], [4.0, 1.0]].map(Vec::from).to_vec()
    }

    #[test]
    fn fronts_hold_what_no_member_of_a_later_front_dominates() {
        assert_eq!(fronts(&scores()), [vec![0, 1, 2], vec![5], vec![3], vec![4]]);
        assert_eq!(fronts(&[]), Vec::<Vec<usize>>::new());
    }

    #[test]
    fn the_ends_of_a_front_are_infinitely_far_and_the_middle_has_the_gap_between_its_neighbours() {
        let distances = crowding(&scores(), &[0, 1, 2]);
        assert!(distances[0].is_infinite() && distances[1].is_infinite());
        assert!((distances[2] - 2.0).abs() < 1e-9, "{distances:?}");
    }

    #[test]
    fn whole_fronts_survive_and_the_last_one_loses_its_most_crowded_members() {
        let own = |front: &[usize]| crowding(&scores(), front);
        let numbers = |size| survivors(&scores(), size, own).iter().map(|s| s.number).collect::<Vec<_>>();
        assert_eq!(numbers(2), [0, 1], "the middle one is the most crowded");
        assert_eq!(numbers(4), [0, 1, 2, 5]);
        assert_eq!(numbers(99).len(), 6);
    }

    #[test]
    fn later_generations_compare_by_dominance_and_then_by_crowding() {
        let mut rng = Rng::of(&CampaignKey("k".into()), "s", 0);
        let of = |scores: &'static [f64], rank, crowding| Candidate { scores, rank, crowding };
        let (good, bad) = (of(&[2.0, 2.0], 0, 0.0), of(&[1.0, 1.0], 1, 9.0));
        assert!(second_wins(bad, good, false, &mut rng) && !second_wins(good, bad, false, &mut rng));
        let (lonely, crowded) = (of(&[1.0, 3.0], 0, 0.9), of(&[3.0, 1.0], 0, 0.1));
        assert!(second_wins(crowded, lonely, false, &mut rng));
        assert!(second_wins(bad, good, true, &mut rng));
    }
}
