//! The best reply to a model: what to do against somebody whose play is known in advance, worked out backwards from the
//! end of the deal.

use overmate_rules::{Action, Phase, Position, Seat};
use overmate_solver::{Answer, Continuation, LeadChoice, LeadNode};

use crate::model::horizon_tables::Sights;
use crate::model::objective::Aim;
use crate::model::player::Model;

/// The best reply of a seat, with what it is worth at every position that was asked for.
pub(crate) struct Reply<'a> {
    sights: &'a Sights,
    seat: Seat,
    model: Model,
    aim: Aim,
    /// By [`Sights::place`]; 0 where nothing has been worked out. So memory that is never used is never touched.
    known: Vec<f64>,
}

impl<'a> Reply<'a> {
    /// A reply to a model. Unless the aim allows to give up points, only actions are considered that lose none against
    /// best play.
    pub(crate) fn new(sights: &'a Sights, seat: Seat, model: Model, aim: Aim) -> Self {
        let graph = sights.graph();
        let bits = graph.cards(Seat::First).len() + graph.cards(Seat::Second).len();
        let free = usize::from(graph.rules().free_move());
        Self { sights, seat, model, aim, known: vec![0.0; 2 << (bits + free)] }
    }

    /// Goes on with what the same reply worked out before.
    pub(crate) fn with_known(self, known: Vec<f64>) -> Self {
        Self { known, ..self }
    }

    /// What was worked out.
    pub(crate) fn into_known(self) -> Vec<f64> {
        self.known
    }

    /// What each action is worth that may be considered at a position in which it is the seat's turn; the others are not
    /// named. In the order of [`Position::legal_actions`].
    pub(crate) fn actions(&mut self, position: &Position) -> Vec<(Action, f64)> {
        let after: Vec<(Action, Position)> = (position.legal_actions().into_iter())
            .filter_map(|action| Some((action, position.play(action).ok()?)))
            .collect();
        let values: Vec<i32> = after.iter().map(|(_, next)| self.exact(next)).collect();
        let best = values.iter().copied().max().unwrap_or_default();
        let mut actions = Vec::new();
        for ((action, next), value) in after.into_iter().zip(values) {
            if self.aim.may_give() || value == best {
                let lead = position.lead().is_none().then(|| self.led(position, action)).flatten();
                let worth = match lead {
                    Some((node, lead)) => self.after_lead(node, lead),
                    None => self.position(&next),
                };
                actions.push((action, worth));
            }
        }
        actions
    }

    /// A lead on the graph.
    fn led(&self, position: &Position, action: Action) -> Option<(LeadNode, LeadChoice)> {
        let graph = self.sights.graph();
        let node = graph.node(position)?;
        let mut leads = graph.leads(node);
        let lead = leads.find(|lead| graph.lead_action(node, *lead) == action)?;
        Some((node, lead))
    }

    /// The exact value of a position for the seat.
    fn exact(&self, position: &Position) -> i32 {
        let exact = self.sights.exact();
        let points = self.sights.graph().value_for_first(position, &mut |node| exact.get(node));
        points.unwrap_or_default() * self.seat.sign_for_first()
    }

    /// What a position is worth, down to the next leads by the rules.
    pub(crate) fn position(&mut self, position: &Position) -> f64 {
        if let Some(node) = self.sights.graph().node(position) {
            return self.lead(node);
        }
        if let Some(outcome) = position.outcome() {
            return self.aim.worth(outcome.points_for_first() * self.seat.sign_for_first());
        }
        match position.phase() {
            Phase::Foreplacing(seat) if seat != self.seat => {
                let odds = self.model.foreplacing_odds(self.sights, position, seat);
                let mut sum = 0.0;
                for (action, odds) in odds {
                    if let Ok(next) = position.play(action) {
                        sum += odds * self.position(&next);
                    }
                }
                sum
            }
            phase if phase.to_act() == Some(self.seat) => {
                let actions = self.actions(position);
                actions.into_iter().map(|(_, worth)| worth).fold(f64::NEG_INFINITY, f64::max)
            }
            // A move with a repeated card: nobody can choose. Or the other answers a lead that was not reached by
            // the graph, which is not asked for.
            _ => {
                let next = position.legal_actions().into_iter().next();
                let next = next.and_then(|action| position.play(action).ok());
                next.map_or(0.0, |next| self.position(&next))
            }
        }
    }

    /// What a position is worth in which a card is to be led.
    pub(crate) fn lead(&mut self, node: LeadNode) -> f64 {
        let place = self.sights.place(node);
        if self.known[place] != 0.0 {
            return self.known[place];
        }
        let worth = if node.leader == self.seat {
            let leads = self.own_leads(node);
            let worths = leads.into_iter().map(|lead| self.after_lead(node, lead));
            worths.fold(f64::NEG_INFINITY, f64::max)
        } else {
            let mut odds = Vec::new();
            self.model.lead_odds(self.sights, node, &mut odds);
            odds.into_iter().map(|(lead, odds)| odds * self.after_lead(node, lead)).sum()
        };
        self.known[place] = if worth == 0.0 { f64::MIN_POSITIVE } else { worth };
        worth
    }

    /// The leads that may be considered.
    pub(crate) fn own_leads(&self, node: LeadNode) -> Vec<LeadChoice> {
        let leads = self.sights.graph().leads(node);
        if self.aim.may_give() {
            return leads.collect();
        }
        let value = self.sights.exact().get(node) * self.seat.sign_for_first();
        leads.filter(|lead| self.sights.exact_lead(node, *lead) == value).collect()
    }

    /// What a lead is worth, whoever led.
    pub(crate) fn after_lead(&mut self, node: LeadNode, lead: LeadChoice) -> f64 {
        let graph = self.sights.graph();
        let sign = self.seat.sign_for_first();
        if let Some(points) = graph.mate_for_first(node, lead) {
            return self.aim.worth(points * sign);
        }
        if node.leader == self.seat {
            let mut odds = Vec::new();
            self.model.answer_odds(self.sights, node, lead, &mut odds);
            odds.into_iter().map(|(a, odds)| odds * self.next(graph.next(node, lead, a))).sum()
        } else {
            let answers = self.own_answers(node, lead).into_iter();
            let worths = answers.map(|answer| self.next(graph.next(node, lead, answer)));
            worths.fold(f64::NEG_INFINITY, f64::max)
        }
    }

    /// The answers that may be considered.
    pub(crate) fn own_answers(&self, node: LeadNode, lead: LeadChoice) -> Vec<Answer> {
        let graph = self.sights.graph();
        let mut answers: Vec<Answer> = graph.answers(node, lead).collect();
        if !self.aim.may_give() {
            let sign = self.seat.sign_for_first();
            let value = |a: &Answer| self.sights.exact_next(graph.next(node, lead, *a)) * sign;
            let best = answers.iter().map(value).max();
            answers.retain(|answer| Some(value(answer)) == best);
        }
        answers
    }

    /// What is worth what follows an answer.
    pub(crate) fn next(&mut self, next: Continuation) -> f64 {
        match next {
            Continuation::Over(points) => self.aim.worth(points * self.seat.sign_for_first()),
            Continuation::Lead(node) => self.lead(node),
        }
    }
}
