//! Models bots by their probabilities of leads and answers in each position.

use overmate_rules::{Action, Position, Seat};

use crate::model::horizon_tables::HorizonTables;
use crate::model::moves::{AnswerMove, Depths, EXACT, Moves};
use crate::model::parameters::LevelParameters;
use crate::model::softmax::{Distribution, IntegerSoftmax};

/// Bot whose action probabilities are known in every position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum PlayerModel {
    /// Bot that plays with the parameters of a strength level.
    Level(LevelParameters),
    /// Bot that takes each legal action with equal probability.
    Random,
}

/// Calculator of a modelled bot's action probabilities.
pub(crate) enum ActionChooser {
    /// Bot of a strength level, which searches `ahead` moves after the current move and compares the points by a softmax.
    Level { parameters: LevelParameters, ahead: u8, softmax: IntegerSoftmax },
    /// Bot that takes each legal action with equal probability.
    Random,
}

impl ActionChooser {
    pub(crate) fn new(model: PlayerModel) -> Self {
        match model {
            PlayerModel::Level(parameters) => Self::Level {
                parameters,
                ahead: EXACT.min(parameters.horizon - 1),
                softmax: IntegerSoftmax::new(parameters.temperature),
            },
            PlayerModel::Random => Self::Random,
        }
    }

    /// Returns the search depths whose points the bot compares.
    pub(crate) fn depths(&self) -> Depths {
        match self {
            Self::Level { ahead, .. } => Depths::only(*ahead),
            Self::Random => Depths::default(),
        }
    }

    /// Returns the probability of each foreplacing choice in a position before the first lead.
    pub(crate) fn foreplacing_distribution(
        &self,
        tables: &HorizonTables,
        position: &Position,
        seat: Seat,
    ) -> Distribution<Action> {
        match self {
            Self::Level { parameters, .. } => tables
                .action_distribution(*parameters, position, seat)
                .unwrap_or_else(|| Distribution::certain(None)),
            Self::Random => Distribution::uniform(position.legal_actions()),
        }
    }

    /// Writes the probability of each lead into the list `shares`.
    pub(crate) fn share_leads(&self, moves: &Moves<'_>, shares: &mut Vec<f64>) {
        match self {
            Self::Level { ahead, softmax, .. } => {
                let points = moves.leads.iter().map(|lead| lead.considered_points(*ahead));
                softmax.write(points, shares);
            }
            Self::Random => share_equally(moves.leads.len(), shares),
        }
    }

    /// Writes the probability of each of the given answers to a lead into the list `shares`.
    pub(crate) fn share_answers(&self, answers: &[AnswerMove], shares: &mut Vec<f64>) {
        match self {
            Self::Level { ahead, softmax, .. } if answers.len() > 1 => {
                softmax.write(answers.iter().map(|answer| Some(answer.points(*ahead))), shares);
            }
            _ => share_equally(answers.len(), shares),
        }
    }
}

/// Writes equal probabilities for `count` options into the list `shares`.
fn share_equally(count: usize, shares: &mut Vec<f64>) {
    shares.clear();
    #[allow(clippy::cast_precision_loss, reason = "a hand has at most 30 cards")]
    shares.resize(count, 1.0 / count as f64);
}
