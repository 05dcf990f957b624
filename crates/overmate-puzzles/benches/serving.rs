//! Measures the time to parse a puzzle with its solution. Before the measurement, each benchmark asserts that the values in the puzzle
//! equal those of the solver.

use divan::Bencher;
use overmate_puzzles::{Puzzle, PuzzleSet};
use overmate_rules::RuleSet;
use overmate_solver::{Budget, Solver};

fn main() {
    divan::main();
}

/// Number of puzzles of each rule set that the benchmark parses. The benchmark takes these puzzles from the set at equal distances.
const SAMPLE: usize = 50;

/// Measures the time to parse one puzzle of a rule set.
#[divan::bench(args = PuzzleSet::names().map(|(name, _)| name))]
fn puzzle(bencher: Bencher<'_, '_>, name: &str) {
    let rules = RuleSet::named(name).expect("the sets are of published rules").shared();
    let set = PuzzleSet::embedded(&rules).expect("the set is sound");
    let step = (set.entries().len() / SAMPLE).max(1);
    let entries: Vec<_> = set.entries().iter().step_by(step).collect();
    let read = |index: usize| -> Puzzle {
        set.read(entries[index % entries.len()]).expect("an embedded puzzle can be read")
    };
    let mut solver = Solver::new();
    for index in 0..entries.len() {
        let solution = read(index).solution;
        let analysis = solver.analyse_position(&solution.position, &Budget::unlimited());
        let values = analysis.actions.iter().map(|known| {
            let value = known.value.exact().expect("the deck has 20 cards");
            (known.action, value.for_seat(solution.solver()))
        });
        assert_eq!(solution.values, values.collect::<Vec<_>>(), "{name} {index}");
    }
    let mut index = 0;
    bencher.bench_local(|| {
        index += 1;
        read(index)
    });
}
