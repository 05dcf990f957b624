//! Defines the input for solving all positions whose hands together hold a given set of cards.

/// Byte that marks a missing value of a position. The marker is greater than the codes of all values.
pub(crate) const ABSENT: i8 = i8::MAX;

/// Input for solving all positions whose hands together hold a given set of cards.
#[derive(Default)]
pub(crate) struct Job {
    /// Kinds of leads of all cards in both hands.
    pub(crate) leads: Vec<JobLead>,
    /// Groups of answers to all leads, in the order of the leads.
    pub(crate) groups: Vec<JobAnswers>,
    /// Answers to all leads, in the order of the groups in [`Job::groups`]. In each group the losing answers come first. Unused entries are
    /// at the end.
    pub(crate) answers: Vec<Answer>,
}

impl Job {
    /// Returns the answers to all leads, without the unused entries at the end of [`Job::answers`].
    pub(crate) fn used_answers(&self) -> &[Answer] {
        &self.answers[..self.groups.last().map_or(0, |group| group.end)]
    }
}

/// Kind of lead (a card, with or without a demand), with the answers to the lead.
#[derive(Clone, Copy)]
pub(crate) struct JobLead {
    /// Index of the led card in the sorted list of all cards in both hands.
    pub(crate) card: u8,
    /// Score codes (signed bytes that encode points) of a mate by the lead, one for each possible hand size of the
    /// leader.
    pub(crate) mates: [i8; 2],
    /// Index after the last entry for this lead in the list [`Job::groups`].
    pub(crate) groups_end: usize,
}

/// Answers to a lead that belong to one tier, either all with or all without the free move.
#[derive(Clone, Copy)]
pub(crate) struct JobAnswers {
    /// End index, in the list [`Job::answers`], of the answers that lose to the led card.
    pub(crate) losing_end: usize,
    /// End index, in the list [`Job::answers`], of the answers that win over the led card.
    pub(crate) end: usize,
    /// Whether every answer in a [`JobAnswers`] group uses the free move. Otherwise no answer of the group uses the free move. An answer by
    /// the free move is legal if an earlier group of the lead has a legal answer. Any other answer is legal if no earlier group without the
    /// free move has a legal answer.
    pub(crate) by_free_move: bool,
}

/// Answer to a lead, with the memory offset of the solved values of the positions after the answer.
#[derive(Clone, Copy, Default)]
pub(crate) struct Answer {
    /// Index of the answering card in the sorted list of all cards in both hands except the led card.
    pub(crate) card: u8,
    /// Byte offset of the row with the solved values of the positions after an answer to a lead. The offset counts from the start of a
    /// layer in [`SolvedLayers`], including the layer's padding.
    pub(crate) row: u32,
}

/// Solved values of the positions after a move: the bytes of whole layers, with their padding. The index states whether the move uses the
/// free move.
#[derive(Clone, Copy)]
pub(crate) struct SolvedLayers<'a> {
    /// Values after an answer that loses to the led card, when the same player leads again.
    pub(crate) same_leader: [&'a [i8]; 2],
    /// Values of the positions after an answer that wins over the led card, so that the follower leads next.
    pub(crate) other_leader: [&'a [i8]; 2],
}
