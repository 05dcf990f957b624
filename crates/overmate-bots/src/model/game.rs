//! A whole game between two whose play is known in advance: how likely each score is, exactly.

use std::collections::BTreeMap;

use overmate_rules::{BySeat, Position, Seat};
use overmate_solver::{Answer, Continuation, LeadChoice, LeadNode};

use crate::model::best_response::Reply;
use crate::model::horizon_tables::{Odds, Sights};
use crate::model::player::Model;

/// How likely each score is, by the points for *first*.
pub(crate) type Spread = BTreeMap<i32, f64>;

/// One of two whose play is known.
pub(crate) enum Known<'r, 'a> {
    /// A model.
    Model(Model),
    /// The best reply to the other. Where two actions are equally good it takes the first.
    Reply(&'r mut Reply<'a>),
}

impl Known<'_, '_> {
    fn lead_odds(&mut self, sights: &Sights, node: LeadNode, odds: &mut Odds<LeadChoice>) {
        match self {
            Self::Model(model) => model.lead_odds(sights, node, odds),
            Self::Reply(reply) => {
                let leads = reply.own_leads(node).into_iter();
                let worths = leads.map(|lead| (lead, reply.after_lead(node, lead)));
                *odds = best(worths);
            }
        }
    }

    fn answer_odds(
        &mut self,
        sights: &Sights,
        node: LeadNode,
        lead: LeadChoice,
        odds: &mut Odds<Answer>,
    ) {
        match self {
            Self::Model(model) => model.answer_odds(sights, node, lead, odds),
            Self::Reply(reply) => {
                let answers = reply.own_answers(node, lead).into_iter();
                let graph = sights.graph();
                let worths = answers.map(|a| (a, reply.next(graph.next(node, lead, a))));
                *odds = best(worths);
            }
        }
    }
}

/// The first of the best.
fn best<T>(worths: impl Iterator<Item = (T, f64)>) -> Odds<T> {
    let better = |a: (T, f64), b: (T, f64)| if b.1 > a.1 { b } else { a };
    worths.reduce(better).map(|(what, _)| (what, 1.0)).into_iter().collect()
}

/// Room to follow games in, so that it need not be made for each.
#[derive(Default)]
pub(crate) struct Follower {
    /// How likely each position is, by [`Sights::place`].
    odds: Vec<f64>,
    /// The positions that are reached, by the number of cards held.
    reached: Vec<Vec<LeadNode>>,
    spread: Spread,
}

impl Follower {
    /// How likely each score is from a position on.
    pub(crate) fn follow(
        &mut self,
        sights: &Sights,
        position: &Position,
        players: &mut BySeat<Known<'_, '_>>,
    ) -> Spread {
        self.spread.clear();
        let cards =
            sights.graph().cards(Seat::First).len() + sights.graph().cards(Seat::Second).len();
        let places = 4 << cards;
        if self.odds.len() < places {
            self.odds.resize(places, 0.0);
        }
        self.reached.resize(cards + 1, Vec::new());
        self.before(sights, position, 1.0, players);
        let (mut leads, mut answers) = (Vec::new(), Vec::new());
        for held in (0..=cards).rev() {
            for node in std::mem::take(&mut self.reached[held]) {
                let odds = std::mem::take(&mut self.odds[sights.place(node)]);
                players[node.leader].lead_odds(sights, node, &mut leads);
                for &(lead, share) in &leads {
                    let odds = odds * share;
                    if let Some(points) = sights.graph().mate_for_first(node, lead) {
                        *self.spread.entry(points).or_default() += odds;
                        continue;
                    }
                    players[!node.leader].answer_odds(sights, node, lead, &mut answers);
                    for &(answer, share) in &answers {
                        self.reach(sights, sights.graph().next(node, lead, answer), odds * share);
                    }
                }
            }
        }
        std::mem::take(&mut self.spread)
    }

    fn reach(&mut self, sights: &Sights, next: Continuation, odds: f64) {
        match next {
            Continuation::Over(points) => *self.spread.entry(points).or_default() += odds,
            Continuation::Lead(node) => {
                let place = sights.place(node);
                // What is not impossible is not zero.
                if self.odds[place] == 0.0 {
                    let held = node.held.first.count_ones() + node.held.second.count_ones();
                    self.reached[held as usize].push(node);
                }
                self.odds[place] += odds;
            }
        }
    }

    /// What comes before the first lead.
    fn before(
        &mut self,
        sights: &Sights,
        position: &Position,
        odds: f64,
        players: &mut BySeat<Known<'_, '_>>,
    ) {
        if let Some(node) = sights.graph().node(position) {
            return self.reach(sights, Continuation::Lead(node), odds);
        }
        let Some(seat) = position.to_act() else { return };
        let choices = match &mut players[seat] {
            Known::Model(model) => model.foreplacing_odds(sights, position, seat),
            Known::Reply(reply) => best(reply.actions(position).into_iter()),
        };
        for (action, share) in choices {
            if let Ok(next) = position.play(action) {
                self.before(sights, &next, odds * share, players);
            }
        }
    }
}
