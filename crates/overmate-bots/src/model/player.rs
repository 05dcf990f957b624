//! How likely a level leads and answers what, on the graph of a deal: the same as it plays from a view.

use overmate_rules::{Action, Position, Seat};
use overmate_solver::{Answer, LeadChoice, LeadNode};

use crate::model::horizon_tables::{Manner, Odds, Sights, temper};

/// Somebody whose play is known in advance.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Model {
    /// A level.
    Level(Manner),
    /// Each legal action is as likely as any.
    Random,
}

impl Model {
    /// Before the first lead: how likely each action is.
    pub(crate) fn foreplacing_odds(
        self,
        sights: &Sights,
        position: &Position,
        seat: Seat,
    ) -> Odds<Action> {
        match self {
            Self::Level(manner) => sights.action_odds(manner, position, seat).unwrap_or_default(),
            Self::Random => {
                let mut odds = position.legal_actions().into_iter().map(|a| (a, 1.0)).collect();
                even(&mut odds);
                odds
            }
        }
    }

    /// How likely each lead is.
    pub(crate) fn lead_odds(self, sights: &Sights, node: LeadNode, odds: &mut Odds<LeadChoice>) {
        odds.clear();
        let Self::Level(manner) = self else {
            odds.extend(sights.graph().leads(node).map(|lead| (lead, 1.0)));
            return even(odds);
        };
        let ahead = manner.horizon - 1;
        let mut mate = None;
        let mut mates = 0_u64;
        for lead in sights.graph().leads(node) {
            let (points, is_mate) = sights.lead_points(ahead, node, lead);
            if is_mate {
                mate = mate.max(Some(points));
                mates |= 1 << odds.len();
            }
            odds.push((lead, points.into()));
        }
        if let Some(mate) = mate {
            let mut place = 0;
            odds.retain(|(lead, points)| {
                let is_mate = mates >> place & 1 == 1;
                place += 1;
                if is_mate {
                    *points >= f64::from(mate)
                } else {
                    sights.lead_forces(node, *lead, mate, ahead)
                }
            });
        }
        temper(manner.temperature, odds);
    }

    /// How likely each answer is to a lead that is not mate.
    pub(crate) fn answer_odds(
        self,
        sights: &Sights,
        node: LeadNode,
        lead: LeadChoice,
        odds: &mut Odds<Answer>,
    ) {
        odds.clear();
        let answers = sights.graph().answers(node, lead);
        match self {
            Self::Level(manner) => {
                let sign = (!node.leader).sign_for_first();
                odds.extend(answers.map(|answer| {
                    let next = sights.graph().next(node, lead, answer);
                    (answer, f64::from(sights.next_for_first(manner.horizon - 1, next) * sign))
                }));
                temper(manner.temperature, odds);
            }
            Self::Random => {
                odds.extend(answers.map(|answer| (answer, 1.0)));
                even(odds);
            }
        }
    }
}

/// Makes all equally likely.
fn even<T>(odds: &mut Odds<T>) {
    #[allow(clippy::cast_precision_loss, reason = "a hand has at most 30 cards")]
    let share = 1.0 / odds.len() as f64;
    for (_, odds) in odds.iter_mut() {
        *odds = share;
    }
}
