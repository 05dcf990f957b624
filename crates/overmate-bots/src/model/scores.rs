//! Computes exact score distributions of games between bots with known action probabilities.

use overmate_rules::{Action, BySeat, Position, Seat};
use overmate_solver::for_bots::{BudgetExhausted, Meter};
use overmate_solver::graph::{Continuation, LeadNode};

use crate::model::best_response::{BestResponse, better};
use crate::model::horizon_tables::HorizonTables;
use crate::model::moves::{AnswerMove, Depths, Moves};
use crate::model::objective::Objective;
use crate::model::parameters::Level;
use crate::model::player::{ActionChooser, PlayerModel};
use crate::model::reached_positions::ReachedPositions;
use crate::model::score_distribution::{ScoreDistribution, with_exchanged_seats};
use crate::model::softmax::Distribution;

/// Action probabilities of one bot, from which the score distribution of a game is computed.
pub(crate) enum Policy<'a> {
    /// Action probabilities of the bot of a strength level, or of a bot that plays at random.
    Model(ActionChooser),
    /// Best response to the opponent's known action probabilities; of several equally good actions, the first is taken.
    BestResponse(BestResponse<'a>),
}

impl Policy<'_> {
    /// Returns the policy of a modelled bot.
    pub(crate) fn of_model(model: PlayerModel) -> Self {
        Self::Model(ActionChooser::new(model))
    }

    /// Returns whether the budget of a best response has ended, so that its action probabilities are meaningless.
    fn is_stopped(&self) -> bool {
        matches!(self, Self::BestResponse(response) if response.is_stopped())
    }

    /// Returns the search depths whose points the bot compares.
    fn depths(&self) -> Depths {
        match self {
            Self::Model(chooser) => chooser.depths(),
            Self::BestResponse(response) => response.depths(),
        }
    }

    /// Returns the probability of each foreplacing choice in a position before the first lead.
    fn foreplacing_distribution(
        &mut self,
        tables: &HorizonTables,
        position: &Position,
        seat: Seat,
    ) -> Distribution<Action> {
        match self {
            Self::Model(chooser) => chooser.foreplacing_distribution(tables, position, seat),
            Self::BestResponse(response) => {
                let best = response.actions(position).into_iter().reduce(better);
                Distribution::certain(best.map(|(action, _)| action))
            }
        }
    }

    /// Writes the probability of each lead into the list `shares`.
    fn share_leads(&mut self, moves: &Moves<'_>, shares: &mut Vec<f64>) {
        match self {
            Self::Model(chooser) => chooser.share_leads(moves, shares),
            Self::BestResponse(response) => {
                let best = response.best_lead(moves, shares);
                choose_one(best.map(|(lead, _)| lead), moves.leads.len(), shares);
            }
        }
    }

    /// Writes the probability of each of the given answers to a lead into the list `shares`.
    fn share_answers(&mut self, answers: &[AnswerMove], shares: &mut Vec<f64>) {
        match self {
            Self::Model(chooser) => chooser.share_answers(answers, shares),
            Self::BestResponse(response) => {
                let best = response.best_answer(answers);
                choose_one(best.map(|(answer, _)| answer), answers.len(), shares);
            }
        }
    }
}

/// Writes the probability 1 for one of `count` options, and 0 for the others, into the list `shares`.
fn choose_one(chosen: Option<usize>, count: usize, shares: &mut Vec<f64>) {
    shares.clear();
    shares.extend((0..count).map(|option| f64::from(u8::from(Some(option) == chosen))));
}

/// Games whose score distributions are computed together, with the players of these games. All games have the same
/// deal.
pub(crate) struct Pairings<'a> {
    /// Players of several games on the same deal, in two lists: those with the seat *first*, and those with the seat *second*. A player may
    /// take part in several games. A list has at most 64 players, because sets of players are masks of 64 bits.
    pub(crate) players: BySeat<Vec<Policy<'a>>>,
    /// Indices of the two players of each game in the lists `players`.
    pub(crate) games: Vec<BySeat<u8>>,
}

/// Game that may reach a certain position.
#[derive(Clone, Copy)]
struct Reached {
    /// Index of the game in the list of all games.
    game: u32,
    /// Indices of the two players of the game.
    players: BySeat<u8>,
    /// Probability that the game reaches the position, above 0.
    probability: f64,
}

/// Games that may reach a certain position.
#[derive(Default)]
struct ReachedGames(Vec<Reached>);

impl ReachedGames {
    /// Replaces the list by the games with a positive probability in `games`. No branch depends on a probability, because the processor
    /// could not predict it.
    fn set(&mut self, games: impl Iterator<Item = Reached>) {
        let Self(list) = self;
        let mut kept = 0;
        list.clear();
        list.extend(games);
        for index in 0..list.len() {
            let game = list[index];
            list[kept] = game;
            kept += usize::from(game.probability > 0.0);
        }
        list.truncate(kept);
    }

    /// Returns the set of the players that have a seat in the games, as a bit mask of their indices.
    fn players(&self, seat: Seat) -> u64 {
        self.0.iter().fold(0, |set, game| set | 1 << game.players[seat])
    }
}

/// Probabilities with which several bots choose each option (lead or answer) in a position. The bots play the same seat in different games
/// on the same deal.
#[derive(Default)]
struct Shares {
    /// All players' probabilities of the first option, then of the next option, and so on.
    of_options: Vec<f64>,
    /// Number of players.
    players: usize,
    /// Probabilities of one player.
    of_player: Vec<f64>,
}

impl Shares {
    /// Computes the probability with which each of the players in the set `wanted` (a bit mask of indices) chooses each of `options`
    /// options. The function `write` writes the probabilities of one player. The probabilities of the other players are meaningless.
    fn fill<'a>(
        &mut self,
        players: &mut [Policy<'a>],
        wanted: u64,
        options: usize,
        mut write: impl FnMut(&mut Policy<'a>, &mut Vec<f64>),
    ) {
        let Self { of_options, of_player, players: count } = self;
        *count = players.len();
        of_options.resize(options * *count, 0.0);
        for (index, player) in players.iter_mut().enumerate() {
            if wanted >> index & 1 == 1 {
                write(player, of_player);
                let places = of_options[index..].iter_mut().step_by(*count);
                for (place, share) in places.zip(&*of_player) {
                    *place = *share;
                }
            }
        }
    }

    /// Returns the probability with which each player chooses an option.
    fn of_option(&self, option: usize) -> &[f64] {
        &self.of_options[option * self.players..][..self.players]
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
    /// Search depths whose points the players compare.
    depths: Depths,
    /// Positions that at least one of several games may reach.
    positions: ReachedPositions,
    /// Final scores in ascending order, each with a list of its probabilities: one for each of several games on the same deal.
    scores: Vec<(i32, Vec<f64>)>,
}

/// Memory for the lists of a position, which is used again for the next position.
#[derive(Default)]
struct Scratch<'a> {
    moves: Moves<'a>,
    leads: Shares,
    answers: Shares,
    /// Games that reach the position, the position after a lead, and the position after its answer.
    reached: [ReachedGames; 3],
}

impl<'a> ForwardPass<'a> {
    fn run(&mut self, meter: &mut Meter) -> Result<(), BudgetExhausted> {
        let mut scratch = Scratch::default();
        // A move takes cards out of the hands, so the positions after a move belong to layers with fewer cards. A layer is complete when
        // its turn comes.
        let games: Vec<_> = self.all_games().collect();
        while let Some(layer) = self.positions.take_layer() {
            for (node, probabilities) in layer.positions(games.len()) {
                let reached = games.iter().zip(probabilities);
                let reached = reached
                    .map(|(game, probability)| Reached { probability: *probability, ..*game });
                scratch.reached[0].set(reached);
                meter.spend()?;
                self.move_on(node, &mut scratch);
            }
            self.positions.recycle(layer);
        }
        Ok(())
    }

    /// Iterates over all games, each with the probability 1.
    fn all_games(&self) -> impl Iterator<Item = Reached> {
        let games = (0..).zip(&self.pairings.games);
        games.map(|(game, players)| Reached { game, players: *players, probability: 1.0 })
    }

    /// Propagates, for each game that reaches the position `node`, the probability of the position to the positions and final scores after
    /// the next move. The first list `reached` of the scratch memory has these games.
    fn move_on(&mut self, node: LeadNode, scratch: &mut Scratch<'a>) {
        let Scratch { moves, leads, answers, reached: [games, led, answered] } = scratch;
        let leader = node.leader;
        moves.fill(self.tables, node, self.depths);
        self.share(leads, leader, games, moves.leads.len(), |player, shares| {
            player.share_leads(moves, shares);
        });
        for (index, lead) in moves.leads.iter().enumerate() {
            led.set(after(games, leader, leads.of_option(index)));
            if led.0.is_empty() {
                continue;
            }
            if let Some(points) = lead.mate {
                self.end(points * leader.sign_for_first(), led);
                continue;
            }
            let replies = moves.answers_to(lead);
            if let [only] = replies {
                self.go_on(only.next, led);
                continue;
            }
            self.share(answers, !leader, led, replies.len(), |player, shares| {
                player.share_answers(replies, shares);
            });
            for (index, reply) in replies.iter().enumerate() {
                answered.set(after(led, !leader, answers.of_option(index)));
                self.go_on(reply.next, answered);
            }
        }
    }

    /// Computes the probabilities with which each bot chooses each of `options` options. The bots are the players with the given seat in
    /// the given games. The function `write` writes the probabilities of one bot.
    fn share(
        &mut self,
        shares: &mut Shares,
        seat: Seat,
        games: &ReachedGames,
        options: usize,
        write: impl FnMut(&mut Policy<'a>, &mut Vec<f64>),
    ) {
        shares.fill(&mut self.pairings.players[seat], games.players(seat), options, write);
    }

    /// Adds the probabilities of the given games to the position or final score after an answer.
    fn go_on(&mut self, next: Continuation, games: &ReachedGames) {
        match next {
            Continuation::Over(points) => self.end(points, games),
            Continuation::Lead(node) => self.reach(node, games),
        }
    }

    fn reach(&mut self, node: LeadNode, games: &ReachedGames) {
        if games.0.is_empty() {
            return;
        }
        let all = self.positions.probabilities(node);
        for reached in &games.0 {
            all[reached.game as usize] += reached.probability;
        }
    }

    fn end(&mut self, points: i32, games: &ReachedGames) {
        if games.0.is_empty() {
            return;
        }
        let count = self.pairings.games.len();
        let known = self.scores.binary_search_by_key(&points, |(points, _)| *points);
        let index = known.unwrap_or_else(|index| {
            self.scores.insert(index, (points, vec![0.0; count]));
            index
        });
        let (_, all) = &mut self.scores[index];
        for reached in &games.0 {
            all[reached.game as usize] += reached.probability;
        }
    }

    /// Follows all foreplacing choices from a position, and adds up, for each game in the list `games`, the probability of each position
    /// before the first lead. The list holds the probability that each game reaches the given position.
    fn foreplace(&mut self, position: &Position, games: &ReachedGames) {
        let tables = self.tables;
        if let Some(node) = tables.graph().node(position) {
            return self.reach(node, games);
        }
        let Some(seat) = position.to_act() else { return };
        let choices: Vec<Action> = position.legal_actions().collect();
        let mut shares = Shares::default();
        self.share(&mut shares, seat, games, choices.len(), |player, shares| {
            let distribution = player.foreplacing_distribution(tables, position, seat);
            shares.clear();
            shares.extend(choices.iter().map(|action| distribution.probability_of(action)));
        });
        for (index, action) in choices.into_iter().enumerate() {
            if let Ok(next) = position.clone().play(action) {
                let mut reached = ReachedGames::default();
                reached.set(after(games, seat, shares.of_option(index)));
                self.foreplace(&next, &reached);
            }
        }
    }
}

/// Iterates over the games after an action of `seat`, each with the probability that the game reaches the position after the action.
/// `shares` holds each player's probability of the action.
fn after(games: &ReachedGames, seat: Seat, shares: &[f64]) -> impl Iterator<Item = Reached> {
    games.0.iter().map(move |game| {
        let probability = game.probability * shares[usize::from(game.players[seat])];
        Reached { probability, ..*game }
    })
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
    let players = pairings.players.first.iter().chain(&pairings.players.second);
    let depths = players.map(Policy::depths).fold(Depths::default(), Depths::with);
    let positions = ReachedPositions::new(tables.graph(), pairings.games.len());
    let mut pass = ForwardPass { tables, pairings, depths, positions, scores: Vec::new() };
    let games = ReachedGames(pass.all_games().collect());
    pass.foreplace(start, &games);
    pass.run(meter).ok()?;
    let BySeat { first, second } = &pass.pairings.players;
    if first.iter().chain(second).any(Policy::is_stopped) {
        return None;
    }
    let of_game = |game: usize| {
        let scores = pass.scores.iter().map(|(points, all)| (*points, all[game]));
        scores.filter(|(_, share)| *share > 0.0).collect()
    };
    Some((0..pass.pairings.games.len()).map(of_game).collect())
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

/// Returns the score distribution, for seat *first*, of a game without face-down cards between two bots of the same strength level. Returns
/// `None` if the budget ends first. The tables must be those of the whole deal, whose start is `start`.
///
/// The result stands in for the unknown score distribution of a game with face-down cards.
pub(crate) fn scores_between_equals<'a>(
    tables: &'a HorizonTables,
    start: &Position,
    level: Level,
    meter: &mut Meter,
) -> Option<&'a ScoreDistribution> {
    tables.scores_between_equals(level, || {
        let model = PlayerModel::Level(level.parameters(tables.graph().rules()));
        scores_of_game(tables, start, BySeat::new_with(|_| Policy::of_model(model)), meter)
    })
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
    let mut players = BySeat::new_with(|_| Policy::of_model(model));
    players[seat] = Policy::BestResponse(response);
    let scores = scores_of_game(tables, start, players, meter)?;
    Some(match seat {
        Seat::First => scores,
        Seat::Second => with_exchanged_seats(&scores),
    })
}
