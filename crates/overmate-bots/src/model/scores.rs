//! Computes exact score distributions of games between bots with known action probabilities.

use overmate_rules::{Action, BySeat, Position, Seat};
use overmate_solver::for_bots::{BudgetExhausted, Meter};
use overmate_solver::graph::{AnswerChoice, Continuation, LeadChoice, LeadNode};

use crate::model::best_response::BestResponse;
use crate::model::horizon_tables::HorizonTables;
use crate::model::node_values::NodeMap;
use crate::model::objective::{Objective, ScoreDistribution, with_exchanged_seats};
use crate::model::player::PlayerModel;
use crate::model::softmax::Distribution;

/// Action probabilities of one bot, from which the score distribution of a game is computed.
pub(crate) enum Policy<'a> {
    /// Action probabilities of the bot of a strength level, or of a bot that plays at random.
    Model(PlayerModel),
    /// Best response to the opponent's known action probabilities; of several equally good actions, the first is taken.
    BestResponse(BestResponse<'a>),
}

impl<'a> Policy<'a> {
    /// Returns whether the budget of a best response has ended, so that its action probabilities are meaningless.
    fn is_stopped(&self) -> bool {
        matches!(self, Self::BestResponse(response) if response.is_stopped())
    }

    /// Returns the probability of each foreplacing choice in a position before the first lead.
    fn foreplacing_distribution(
        &mut self,
        tables: &HorizonTables,
        position: &Position,
        seat: Seat,
    ) -> Distribution<Action> {
        match self {
            Self::Model(model) => model.foreplacing_distribution(tables, position, seat),
            Self::BestResponse(response) => first_best(response.actions(position).into_iter()),
        }
    }

    /// Returns the probability with which the bot plays each lead in a position.
    fn lead_distribution(
        &mut self,
        tables: &'a HorizonTables,
        node: LeadNode,
    ) -> Distribution<LeadChoice<'a>> {
        match self {
            Self::Model(model) => model.lead_distribution(tables, node),
            Self::BestResponse(response) => {
                let leads = response.own_leads(node).into_iter();
                first_best(leads.map(|lead| (lead, response.value_of_lead(node, lead))))
            }
        }
    }

    /// Returns the probability with which the bot plays each answer to a lead.
    fn answer_distribution(
        &mut self,
        tables: &HorizonTables,
        node: LeadNode,
        lead: LeadChoice<'_>,
    ) -> Distribution<AnswerChoice> {
        match self {
            Self::Model(model) => model.answer_distribution(tables, node, lead),
            Self::BestResponse(response) => {
                let answers = response.own_answers(node, lead).into_iter();
                let graph = tables.graph();
                first_best(answers.map(|a| (a, response.value_of_next(graph.next(node, lead, a)))))
            }
        }
    }
}

/// Returns a distribution with probability 1 for the option with the highest value. Of several such
/// options, the first is taken.
fn first_best<T>(values: impl Iterator<Item = (T, f64)>) -> Distribution<T> {
    let better = |a: (T, f64), b: (T, f64)| if b.1 > a.1 { b } else { a };
    Distribution::certain(values.reduce(better).map(|(option, _)| option))
}

/// Games whose score distributions are computed together, with the players of these games. All games have the same
/// deal.
pub(crate) struct Pairings<'a> {
    /// Players of several games on the same deal, in two lists: those with the seat *first*, and those with the seat *second*. A player may
    /// take part in several games.
    pub(crate) players: BySeat<Vec<Policy<'a>>>,
    /// Indices of the two players of each game in the lists `players`.
    pub(crate) games: Vec<BySeat<usize>>,
}

/// Pair of a game's index and the probability that this game reaches a certain position.
type Reached = (usize, f64);

/// Options (foreplacing choices, leads or answers) of one seat in a position, with the probability that each of several bots chooses each
/// option. The bots play this seat in different games on the same deal.
struct Options<T> {
    list: Vec<T>,
    /// Probabilities of the options, in one list: all players' probabilities of the first option,
    /// then of the next option, and so on.
    shares: Vec<f64>,
    /// Whether the probabilities of each player are computed, with one entry for each player.
    is_done: Vec<bool>,
}

impl<T> Default for Options<T> {
    fn default() -> Self {
        Self { list: Vec::new(), shares: Vec::new(), is_done: Vec::new() }
    }
}

impl<T: Copy + PartialEq> Options<T> {
    /// Computes the options in a position, with the probability that each of the given players chooses each option. `indices` holds the
    /// indices of these players in the list `players`. The probabilities of a repeated index are computed once. Earlier options are
    /// removed, and their memory is used again.
    fn fill<'a>(
        &mut self,
        players: &mut [Policy<'a>],
        indices: impl Iterator<Item = usize>,
        mut distribution: impl FnMut(&mut Policy<'a>) -> Distribution<T>,
    ) {
        let Self { list, shares, is_done } = self;
        let count = players.len();
        list.clear();
        shares.clear();
        is_done.clear();
        is_done.resize(count, false);
        for player in indices {
            if std::mem::replace(&mut is_done[player], true) {
                continue;
            }
            for (option, share) in distribution(&mut players[player]) {
                let known = list.iter().position(|other| *other == option);
                let index = known.unwrap_or_else(|| {
                    list.push(option);
                    shares.resize(shares.len() + count, 0.0);
                    list.len() - 1
                });
                shares[index * count + player] = share;
            }
        }
    }

    /// Iterates over the options of one seat in a position, each with a list of the probabilities with which several bots choose the
    /// option.
    fn iter(&self) -> impl Iterator<Item = (T, &[f64])> {
        self.list.iter().copied().zip(self.shares.chunks_exact(self.is_done.len().max(1)))
    }
}

/// Positions with the same total number of cards in both hands, each with the probability that a game reaches the position. There is one
/// probability for each of several games, which different pairs of bots play on the same deal.
#[derive(Default)]
struct Layer {
    nodes: Vec<LeadNode>,
    /// Map from a reached position's index in the value tables to the position's index in the list `nodes`.
    indices: NodeMap<usize>,
    /// Probabilities of the reached positions, in one list: the probabilities of the first position in all games, then of the next
    /// position, and so on.
    probabilities: Vec<f64>,
}

impl Layer {
    /// Returns the probability of reaching a given position in each of several games, which different pairs of bots play on one deal. Adds
    /// a missing position to the layer, with the probability 0 for each game.
    fn probabilities(
        &mut self,
        tables: &HorizonTables,
        node: LeadNode,
        games: usize,
    ) -> &mut [f64] {
        let index = *self.indices.entry(tables.index(node)).or_insert_with(|| {
            self.nodes.push(node);
            self.probabilities.resize(self.nodes.len() * games, 0.0);
            self.nodes.len() - 1
        });
        &mut self.probabilities[index * games..][..games]
    }
}

/// Forward pass over the graph of a deal's positions, for several games between different pairs of bots. The pass computes the probability
/// that each game reaches each position, and goes from many cards to few. The probability of a position is the sum over all moves that lead
/// to the position.
///
/// One pass computes all games of a deal, so that each player's action probabilities in a position
/// are computed once for all of their games.
struct ForwardPass<'a> {
    tables: &'a HorizonTables,
    pairings: Pairings<'a>,
    /// Positions that at least one of several games may reach, grouped by the total number of cards in both hands. This number is the index
    /// of the group.
    layers: Vec<Layer>,
    /// Final scores in ascending order, each with a list of its probabilities: one for each of several games on the same deal.
    scores: Vec<(i32, Vec<f64>)>,
}

/// Memory for the lists of a position, which is used again for the next position.
#[derive(Default)]
struct Scratch<'a> {
    leads: Options<LeadChoice<'a>>,
    answers: Options<AnswerChoice>,
    /// Games that reach the position, the position after a lead, and the position after its answer.
    reached: [Vec<Reached>; 3],
}

impl<'a> ForwardPass<'a> {
    fn run(&mut self, meter: &mut Meter) -> Result<(), BudgetExhausted> {
        let mut scratch = Scratch::default();
        for held in (0..self.layers.len()).rev() {
            // A move takes cards out of the hands, so the positions after a move belong to layers with fewer cards. The layer `held` is
            // complete.
            let layer = std::mem::take(&mut self.layers[held]);
            let probabilities = layer.probabilities.chunks_exact(self.pairings.games.len());
            for (node, probabilities) in layer.nodes.into_iter().zip(probabilities) {
                let games = probabilities.iter().copied().enumerate();
                scratch.reached[0].clear();
                scratch.reached[0].extend(games.filter(|(_, reached)| *reached > 0.0));
                meter.spend()?;
                self.move_on(node, &mut scratch);
            }
        }
        Ok(())
    }

    /// Propagates, for each game that reaches the position `node`, the probability of the position to the positions and final scores after
    /// the next move. The first list `reached` of the scratch memory has these games.
    fn move_on(&mut self, node: LeadNode, scratch: &mut Scratch<'a>) {
        let tables = self.tables;
        let Scratch { leads, answers, reached: [games, led, answered] } = scratch;
        self.fill(leads, node.leader, games, |player| player.lead_distribution(tables, node));
        for (lead, shares) in leads.iter() {
            self.after(node.leader, games, shares, led);
            if let Some(points) = tables.graph().mate_for_first(node, lead) {
                self.end(points, led);
                continue;
            }
            self.fill(answers, !node.leader, led, |player| {
                player.answer_distribution(tables, node, lead)
            });
            for (answer, shares) in answers.iter() {
                self.after(!node.leader, led, shares, answered);
                match tables.graph().next(node, lead, answer) {
                    Continuation::Over(points) => self.end(points, answered),
                    Continuation::Lead(next) => self.reach(next, answered),
                }
            }
        }
    }

    /// Computes the possible actions of `seat` in a position, with the probability that each bot takes each action, and stores them in
    /// `options`. The bots are the players with this seat in the given games.
    fn fill<T: Copy + PartialEq>(
        &mut self,
        options: &mut Options<T>,
        seat: Seat,
        games: &[Reached],
        distribution: impl FnMut(&mut Policy<'a>) -> Distribution<T>,
    ) {
        let Pairings { players, games: all } = &mut self.pairings;
        let indices = games.iter().map(|(game, _)| all[*game][seat]);
        options.fill(&mut players[seat], indices, distribution);
    }

    /// Fills the list `after` with the games in which `seat` takes a given action with a positive probability, each with the probability
    /// that the game reaches the position after the action. `shares` holds each player's probability of the action.
    fn after(&self, seat: Seat, games: &[Reached], shares: &[f64], after: &mut Vec<Reached>) {
        let pairs = &self.pairings.games;
        let taken =
            games.iter().map(|(game, reached)| (*game, reached * shares[pairs[*game][seat]]));
        after.clear();
        after.extend(taken.filter(|(_, reached)| *reached > 0.0));
    }

    fn reach(&mut self, node: LeadNode, games: &[Reached]) {
        let held = node.held.first.count_ones() + node.held.second.count_ones();
        let layer = &mut self.layers[held as usize];
        let all = layer.probabilities(self.tables, node, self.pairings.games.len());
        for (game, reached) in games {
            all[*game] += reached;
        }
    }

    fn end(&mut self, points: i32, games: &[Reached]) {
        let count = self.pairings.games.len();
        let known = self.scores.binary_search_by_key(&points, |(points, _)| *points);
        let index = known.unwrap_or_else(|index| {
            self.scores.insert(index, (points, vec![0.0; count]));
            index
        });
        let (_, all) = &mut self.scores[index];
        for (game, reached) in games {
            all[*game] += reached;
        }
    }

    /// Follows all foreplacing choices from a position, and adds up, for each game in the list `games`, the probability of each position
    /// before the first lead. The list holds the probability that each game reaches the given position.
    fn foreplace(&mut self, position: &Position, games: &[Reached]) {
        let tables = self.tables;
        if let Some(node) = tables.graph().node(position) {
            return self.reach(node, games);
        }
        let Some(seat) = position.to_act() else { return };
        let mut choices = Options::default();
        self.fill(&mut choices, seat, games, |player| {
            player.foreplacing_distribution(tables, position, seat)
        });
        for (action, shares) in choices.iter() {
            if let Ok(next) = position.clone().play(action) {
                let mut reached = Vec::new();
                self.after(seat, games, shares, &mut reached);
                self.foreplace(&next, &reached);
            }
        }
    }
}

/// Returns the score distributions, for seat *first*, of several games that different pairs of bots play from the same position. The
/// results have the order of the games in `pairings`. Returns `None` if the budget ends first, here or in a best response; each position
/// that a game can reach counts as a node.
pub(crate) fn scores_of_games(
    tables: &HorizonTables,
    start: &Position,
    pairings: Pairings<'_>,
    meter: &mut Meter,
) -> Option<Vec<ScoreDistribution>> {
    if pairings.games.is_empty() {
        return Some(Vec::new());
    }
    let cards = Seat::BOTH.map(|seat| tables.graph().cards(seat).len()).iter().sum::<usize>();
    let mut layers = Vec::new();
    layers.resize_with(cards + 1, Layer::default);
    let mut pass = ForwardPass { tables, pairings, layers, scores: Vec::new() };
    let games: Vec<Reached> = (0..pass.pairings.games.len()).map(|game| (game, 1.0)).collect();
    pass.foreplace(start, &games);
    pass.run(meter).ok()?;
    let BySeat { first, second } = &pass.pairings.players;
    if first.iter().chain(second).any(Policy::is_stopped) {
        return None;
    }
    let of_game = |(game, _): Reached| {
        let scores = pass.scores.iter().map(|(points, all)| (*points, all[game]));
        scores.filter(|(_, share)| *share > 0.0).collect()
    };
    Some(games.into_iter().map(of_game).collect())
}

/// Returns the score distribution, for seat *first*, of a game that begins at a given position. Returns `None` if the budget ends first.
pub(crate) fn scores_of_game(
    tables: &HorizonTables,
    start: &Position,
    players: BySeat<Policy<'_>>,
    meter: &mut Meter,
) -> Option<ScoreDistribution> {
    let players = players.map(|player| vec![player]);
    let pairings = Pairings { players, games: vec![BySeat { first: 0, second: 0 }] };
    scores_of_games(tables, start, pairings, meter)?.pop()
}

/// Returns the score distribution, for seat *first*, of a game without face-down cards between two bots that follow the same model. Returns
/// `None` if the budget ends first.
///
/// The result stands in for the unknown score distribution of a game with face-down cards.
pub(crate) fn scores_between_equals(
    tables: &HorizonTables,
    start: &Position,
    model: PlayerModel,
    meter: &mut Meter,
) -> Option<ScoreDistribution> {
    scores_of_game(tables, start, BySeat::new_with(|_| Policy::Model(model)), meter)
}

/// Returns the score distribution, for `seat`, of a game in which `seat` plays the best response to a model of the opponent. Returns `None`
/// if the budget ends first.
pub(crate) fn scores_of_best_response(
    tables: &HorizonTables,
    start: &Position,
    seat: Seat,
    model: PlayerModel,
    meter: &mut Meter,
) -> Option<ScoreDistribution> {
    let response = BestResponse::new(tables, seat, model, Objective::Points).within(meter.clone());
    let mut players = BySeat::new_with(|_| Policy::Model(model));
    players[seat] = Policy::BestResponse(response);
    let scores = scores_of_game(tables, start, players, meter)?;
    Some(match seat {
        Seat::First => scores,
        Seat::Second => with_exchanged_seats(&scores),
    })
}
