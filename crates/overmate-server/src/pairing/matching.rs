//! Finds a perfect matching of minimum total cost in a complete graph.
//!
//! The module implements Edmonds' blossom algorithm with dual variables (Edmonds, 1965), in the form of Galil (1986) with one slack edge
//! for each outer blossom. The algorithm takes O(n³) time and O(n²) memory. All numbers are integers, so that the result is exact.

use std::collections::VecDeque;

/// Edge between two vertices, with its weight. Weight 0 stands for no edge.
#[derive(Clone, Copy, Default, Debug)]
struct Edge {
    from: usize,
    to: usize,
    weight: i64,
}

/// Label of a vertex or blossom in the alternating forest of the blossom algorithm (Edmonds, 1965).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    Free,
    Outer,
    Inner,
}

/// State of the blossom algorithm. Vertices have the numbers 1 to `vertices`, and blossoms have higher numbers. Number 0 stands
/// for no vertex and no blossom.
struct Search {
    vertices: usize,
    /// Highest number that a vertex or blossom (a contracted odd cycle of Edmonds' matching algorithm) has had so far.
    last: usize,
    edges: Vec<Vec<Edge>>,
    duals: Vec<i64>,
    mates: Vec<usize>,
    slacks: Vec<usize>,
    /// For each vertex or blossom of Edmonds' matching algorithm, the number of the outermost blossom that contains it. If no blossom
    /// contains it, the value is its own number. The value is 0 for an unused number.
    tops: Vec<usize>,
    parents: Vec<usize>,
    labels: Vec<Label>,
    visits: Vec<usize>,
    visit: usize,
    /// Members of each blossom, in the order of the blossom's cycle.
    members: Vec<Vec<usize>>,
    /// For each blossom of Edmonds' matching algorithm and each vertex, the number of the blossom's member that contains the vertex. The
    /// value is 0 if the vertex lies outside the blossom.
    containing: Vec<Vec<usize>>,
    queue: VecDeque<usize>,
}

/// Returns for each vertex its partner in a perfect matching of minimum total cost. The number of vertices is even. `cost` is not negative,
/// and is called with the lower vertex first. The costs of both directions of an edge are therefore equal, which the algorithm needs to
/// end.
pub(super) fn cheapest(vertices: usize, cost: impl Fn(usize, usize) -> i64) -> Vec<usize> {
    let cost = |a: usize, b: usize| cost(a.min(b), a.max(b));
    let most = (0..vertices).flat_map(|a| (0..a).map(move |b| (a, b)));
    let most = most.map(|(a, b)| cost(a, b)).max().unwrap_or(0);
    // A matching with more edges always weighs more, so that the heaviest matching is perfect.
    let offset = (most + 1) * (i64::try_from(vertices).unwrap_or(i64::MAX) + 1);
    let mut search = Search::new(vertices, |a, b| offset - cost(a, b));
    while search.improve() {}
    search.mates[1..=vertices].iter().map(|mate| mate.saturating_sub(1)).collect()
}

impl Search {
    fn new(vertices: usize, weight: impl Fn(usize, usize) -> i64) -> Self {
        let size = 2 * vertices + 1;
        let mut edges = vec![vec![Edge::default(); size]; size];
        let mut containing = vec![vec![0; vertices + 1]; size];
        let mut heaviest = 0;
        for from in 1..=vertices {
            containing[from][from] = from;
            for (to, edge) in edges[from].iter_mut().enumerate().take(vertices + 1).skip(1) {
                let weight = if from == to { 0 } else { weight(from - 1, to - 1) };
                *edge = Edge { from, to, weight };
                heaviest = heaviest.max(weight);
            }
        }
        let tops = (0..size).map(|number| if number <= vertices { number } else { 0 }).collect();
        Self {
            vertices,
            last: vertices,
            edges,
            duals: (0..size).map(|number| if number <= vertices { heaviest } else { 0 }).collect(),
            mates: vec![0; size],
            slacks: vec![0; size],
            tops,
            parents: vec![0; size],
            labels: vec![Label::Free; size],
            visits: vec![0; size],
            visit: 0,
            members: vec![Vec::new(); size],
            containing,
            queue: VecDeque::new(),
        }
    }

    /// Returns the slack of an edge in the dual linear program of the weighted matching: 0 for a tight edge, otherwise a positive number.
    /// The edge joins two different outermost blossoms.
    fn slack(&self, edge: Edge) -> i64 {
        let weight = self.edges[edge.from][edge.to].weight;
        self.duals[edge.from] + self.duals[edge.to] - 2 * weight
    }

    fn lower_slack(&mut self, from: usize, to: usize) {
        let known = self.slacks[to];
        if known == 0 || self.slack(self.edges[from][to]) < self.slack(self.edges[known][to]) {
            self.slacks[to] = from;
        }
    }

    fn find_slack(&mut self, to: usize) {
        self.slacks[to] = 0;
        for from in 1..=self.vertices {
            let top = self.tops[from];
            let is_edge = self.edges[from][to].weight > 0;
            if is_edge && top != to && self.labels[top] == Label::Outer {
                self.lower_slack(from, to);
            }
        }
    }

    fn enqueue(&mut self, number: usize) {
        if number <= self.vertices {
            self.queue.push_back(number);
            return;
        }
        for member in self.members[number].clone() {
            self.enqueue(member);
        }
    }

    fn set_top(&mut self, number: usize, top: usize) {
        self.tops[number] = top;
        if number > self.vertices {
            for member in self.members[number].clone() {
                self.set_top(member, top);
            }
        }
    }

    /// Returns the position of a member in the cycle of a blossom. The function first reverses the cycle if the position is odd, so that
    /// the returned position is even.
    fn even_place(&mut self, blossom: usize, member: usize) -> usize {
        let members = &mut self.members[blossom];
        let place = members.iter().position(|other| *other == member).unwrap_or(0);
        if place.is_multiple_of(2) {
            return place;
        }
        members[1..].reverse();
        members.len() - place
    }

    fn set_mate(&mut self, number: usize, mate: usize) {
        let edge = self.edges[number][mate];
        self.mates[number] = edge.to;
        if number <= self.vertices {
            return;
        }
        let inner = self.containing[number][edge.from];
        let place = self.even_place(number, inner);
        for index in 0..place {
            let (one, other) = (self.members[number][index], self.members[number][index ^ 1]);
            self.set_mate(one, other);
        }
        self.set_mate(inner, mate);
        self.members[number].rotate_left(place);
    }

    /// Swaps matched and unmatched edges on the path from an outer blossom to the root of its tree.
    fn augment(&mut self, mut number: usize, mut mate: usize) {
        loop {
            let next = self.tops[self.mates[number]];
            self.set_mate(number, mate);
            if next == 0 {
                return;
            }
            let parent = self.tops[self.parents[next]];
            self.set_mate(next, parent);
            (number, mate) = (parent, next);
        }
    }

    /// Returns the common ancestor of two outer blossoms in the alternating forest, or 0 if they lie in different trees.
    fn ancestor(&mut self, mut one: usize, mut other: usize) -> usize {
        self.visit += 1;
        while one != 0 || other != 0 {
            if one != 0 {
                if self.visits[one] == self.visit {
                    return one;
                }
                self.visits[one] = self.visit;
                one = self.tops[self.mates[one]];
                if one != 0 {
                    one = self.tops[self.parents[one]];
                }
            }
            std::mem::swap(&mut one, &mut other);
        }
        0
    }

    /// Extends the cycle of a new blossom by the path from an outer blossom to its ancestor in the alternating forest. The path does not
    /// include the ancestor.
    fn append_path(&mut self, cycle: &mut Vec<usize>, from: usize, ancestor: usize) {
        let mut outer = from;
        while outer != ancestor {
            let inner = self.tops[self.mates[outer]];
            cycle.extend([outer, inner]);
            self.enqueue(inner);
            outer = self.tops[self.parents[inner]];
        }
    }

    fn add_blossom(&mut self, one: usize, ancestor: usize, other: usize) {
        let mut blossom = self.vertices + 1;
        while blossom <= self.last && self.tops[blossom] != 0 {
            blossom += 1;
        }
        self.last = self.last.max(blossom);
        self.duals[blossom] = 0;
        self.labels[blossom] = Label::Outer;
        self.mates[blossom] = self.mates[ancestor];
        let mut cycle = vec![ancestor];
        self.append_path(&mut cycle, one, ancestor);
        cycle[1..].reverse();
        self.append_path(&mut cycle, other, ancestor);
        self.members[blossom].clone_from(&cycle);
        self.set_top(blossom, blossom);
        for number in 1..=self.last {
            self.edges[blossom][number].weight = 0;
            self.edges[number][blossom].weight = 0;
        }
        self.containing[blossom].fill(0);
        for member in cycle {
            for number in 1..=self.last {
                let is_first = self.edges[blossom][number].weight == 0;
                let (new, known) = (self.edges[member][number], self.edges[blossom][number]);
                if is_first || self.slack(new) < self.slack(known) {
                    self.edges[blossom][number] = new;
                    self.edges[number][blossom] = self.edges[number][member];
                }
            }
            for vertex in 1..=self.vertices {
                if self.containing[member][vertex] != 0 {
                    self.containing[blossom][vertex] = member;
                }
            }
        }
        self.find_slack(blossom);
    }

    /// Replaces an inner blossom of Edmonds' matching algorithm, whose dual variable has become 0, by its members.
    fn expand(&mut self, blossom: usize) {
        for member in self.members[blossom].clone() {
            self.set_top(member, member);
        }
        let entry = self.edges[blossom][self.parents[blossom]].from;
        let inner = self.containing[blossom][entry];
        let place = self.even_place(blossom, inner);
        let members = self.members[blossom].clone();
        for pair in members[..place].chunks_exact(2) {
            let (one, other) = (pair[0], pair[1]);
            self.parents[one] = self.edges[other][one].from;
            self.labels[one] = Label::Inner;
            self.labels[other] = Label::Outer;
            self.slacks[one] = 0;
            self.find_slack(other);
            self.enqueue(other);
        }
        self.labels[inner] = Label::Inner;
        self.parents[inner] = self.parents[blossom];
        for &member in &members[place + 1..] {
            self.labels[member] = Label::Free;
            self.find_slack(member);
        }
        self.tops[blossom] = 0;
    }

    /// Uses a tight edge in Edmonds' matching algorithm: extends the alternating forest, forms a blossom, or enlarges the matching. Returns
    /// whether the matching has grown.
    fn use_edge(&mut self, edge: Edge) -> bool {
        let (one, other) = (self.tops[edge.from], self.tops[edge.to]);
        match self.labels[other] {
            Label::Free => {
                self.parents[other] = edge.from;
                self.labels[other] = Label::Inner;
                let next = self.tops[self.mates[other]];
                (self.slacks[other], self.slacks[next]) = (0, 0);
                self.labels[next] = Label::Outer;
                self.enqueue(next);
                false
            }
            Label::Outer => {
                let ancestor = self.ancestor(one, other);
                if ancestor != 0 {
                    self.add_blossom(one, ancestor, other);
                    return false;
                }
                self.augment(one, other);
                self.augment(other, one);
                true
            }
            Label::Inner => false,
        }
    }

    /// Enlarges the matching by one edge, unless the matching has its maximum weight. Returns whether the matching has grown.
    fn improve(&mut self) -> bool {
        self.labels[1..].fill(Label::Free);
        self.slacks.fill(0);
        self.queue.clear();
        for number in 1..=self.last {
            if self.tops[number] == number && self.mates[number] == 0 {
                self.parents[number] = 0;
                self.labels[number] = Label::Outer;
                self.enqueue(number);
            }
        }
        if self.queue.is_empty() {
            return false;
        }
        loop {
            if self.scan() {
                return true;
            }
            if !self.change_duals() {
                return false;
            }
            self.queue.clear();
            for number in 1..=self.last {
                let slack = self.slacks[number];
                let is_top = self.tops[number] == number && slack != 0;
                if is_top && self.tops[slack] != number {
                    let edge = self.edges[slack][number];
                    if self.slack(edge) == 0 && self.use_edge(edge) {
                        return true;
                    }
                }
            }
            for blossom in self.vertices + 1..=self.last {
                let is_inner =
                    self.tops[blossom] == blossom && self.labels[blossom] == Label::Inner;
                if is_inner && self.duals[blossom] == 0 {
                    self.expand(blossom);
                }
            }
        }
    }

    /// Processes the queue of outer vertices of Edmonds' matching algorithm, until the matching grows or the queue is empty. The function
    /// uses each tight edge of these vertices. Returns whether the matching has grown.
    fn scan(&mut self) -> bool {
        while let Some(from) = self.queue.pop_front() {
            if self.labels[self.tops[from]] == Label::Inner {
                continue;
            }
            for to in 1..=self.vertices {
                let edge = self.edges[from][to];
                if edge.weight == 0 || self.tops[from] == self.tops[to] {
                    continue;
                }
                if self.slack(edge) > 0 {
                    self.lower_slack(from, self.tops[to]);
                } else if self.use_edge(edge) {
                    return true;
                }
            }
        }
        false
    }

    /// Changes the dual variables of the blossom algorithm until an edge becomes tight or a blossom dissolves. Returns false if no larger
    /// matching exists.
    fn change_duals(&mut self) -> bool {
        let mut step = i64::MAX;
        for number in 1..=self.last {
            if self.tops[number] != number {
                continue;
            }
            if number > self.vertices && self.labels[number] == Label::Inner {
                step = step.min(self.duals[number] / 2);
            }
            if self.slacks[number] != 0 {
                let slack = self.slack(self.edges[self.slacks[number]][number]);
                match self.labels[number] {
                    Label::Free => step = step.min(slack),
                    Label::Outer => step = step.min(slack / 2),
                    Label::Inner => {}
                }
            }
        }
        for vertex in 1..=self.vertices {
            match self.labels[self.tops[vertex]] {
                Label::Outer if self.duals[vertex] <= step => return false,
                Label::Outer => self.duals[vertex] -= step,
                Label::Inner => self.duals[vertex] += step,
                Label::Free => {}
            }
        }
        for blossom in self.vertices + 1..=self.last {
            if self.tops[blossom] == blossom {
                match self.labels[blossom] {
                    Label::Outer => self.duals[blossom] += 2 * step,
                    Label::Inner => self.duals[blossom] -= 2 * step,
                    Label::Free => {}
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::*;

    /// Returns the minimum total cost of a perfect matching by trying all perfect matchings.
    fn naive(free: &[usize], cost: &[Vec<i64>]) -> i64 {
        let Some((first, rest)) = free.split_first() else { return 0 };
        let mut least = i64::MAX;
        for index in 0..rest.len() {
            let mut left = rest.to_vec();
            let partner = left.remove(index);
            least = least.min(cost[*first][partner] + naive(&left, cost));
        }
        least
    }

    #[test]
    fn the_matching_is_perfect_and_as_cheap_as_the_cheapest_of_all() {
        let mut random = Rng::with_seed(1965);
        let mut checked = 0;
        for round in 0..600 {
            let vertices = 2 * random.usize(0..=5);
            let most = [2, 9, 1_000, 1_000_000_000][round % 4];
            let mut cost = vec![vec![0; vertices]; vertices];
            let pairs = (0..vertices).flat_map(|a| (0..a).map(move |b| (a, b)));
            for (a, b) in pairs {
                let value = random.i64(0..=most);
                (cost[a][b], cost[b][a]) = (value, value);
            }
            let mates = cheapest(vertices, |a, b| cost[a][b]);
            let all: Vec<usize> = (0..vertices).collect();
            assert!(all.iter().all(|a| mates[*a] != *a && mates[mates[*a]] == *a), "{mates:?}");
            let total: i64 = all.iter().map(|a| cost[*a][mates[*a]]).sum::<i64>() / 2;
            assert_eq!(total, naive(&all, &cost), "{cost:?}");
            checked += 1;
        }
        assert_eq!(checked, 600);
    }

    /// Tests a large graph that has a perfect matching of cost 0.
    #[test]
    fn a_large_graph_with_a_free_matching_is_matched_without_cost() {
        let mut random = Rng::with_seed(64);
        let mut kinds: Vec<i64> = (0..100).flat_map(|kind| [kind, kind]).collect();
        for index in (1..kinds.len()).rev() {
            kinds.swap(index, random.usize(0..=index));
        }
        let mates = cheapest(kinds.len(), |a, b| (kinds[a] - kinds[b]).abs());
        assert!(mates.iter().enumerate().all(|(a, b)| a != *b && kinds[a] == kinds[*b]));
    }
}
