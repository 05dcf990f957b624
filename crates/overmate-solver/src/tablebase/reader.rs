//! Looks up the values of positions in a tablebase, by decompressing one block at a time.

use overmate_rules::{Action, Game, Position};
use zstd::bulk::Decompressor;

use super::error::TablebaseError;
use super::file::Tablebase;
use super::format::BLOCK;
use crate::analysis::results::{Analysis, analyse_by_values};
use crate::deal::action_tree::{ActionTree, LeadPosition};
use crate::deal::subsets::{places_of, rank};
use crate::value::ValueForFirst;
use crate::whole::layers::LayerPosition;

/// Reader that looks up the values of positions in a [`Tablebase`]. The reader caches the last decompressed block.
pub struct TablebaseReader<'a> {
    table: &'a Tablebase,
    unpacker: Decompressor<'static>,
    block: [u8; BLOCK],
    /// Index of the most recently decompressed block, or `None` if no block has been read.
    unpacked: Option<usize>,
}

impl<'a> TablebaseReader<'a> {
    pub(super) fn new(table: &'a Tablebase) -> Self {
        Self { table, unpacker: table.unpacker(), block: [0; BLOCK], unpacked: None }
    }

    /// Returns the final points for seat *first* under best play from a position.
    ///
    /// Returns `None` if the position is of another rule set.
    ///
    /// # Errors
    ///
    /// Returns [`TablebaseError`] if the file is damaged at the position's value.
    pub fn value_for_first(
        &mut self,
        position: &Position,
    ) -> Result<Option<ValueForFirst>, TablebaseError> {
        if position.rules() != &self.table.rules {
            return Ok(None);
        }
        self.value(position).map(Some)
    }

    /// Analyses the current position of a game by stored values, like [`Solver::analyse`](crate::Solver::analyse).
    ///
    /// Returns `None` if the game is of another rule set.
    ///
    /// # Errors
    ///
    /// Returns [`TablebaseError`] if the file is damaged at one of the values.
    pub fn analyse(&mut self, game: &Game) -> Result<Option<Analysis>, TablebaseError> {
        match game.outcome() {
            Some(outcome) if game.rules() == &self.table.rules => {
                Ok(Some(Analysis::over(outcome.into())))
            }
            _ => self.analyse_position(game.position()),
        }
    }

    /// Analyses a position by stored values, like [`Solver::analyse_position`](crate::Solver::analyse_position).
    ///
    /// Returns `None` if the position is of another rule set.
    ///
    /// # Errors
    ///
    /// Returns [`TablebaseError`] if the file is damaged at one of the values.
    pub fn analyse_position(
        &mut self,
        position: &Position,
    ) -> Result<Option<Analysis>, TablebaseError> {
        if position.rules() != &self.table.rules {
            return Ok(None);
        }
        if let Some(outcome) = position.outcome() {
            return Ok(Some(Analysis::over(outcome.into())));
        }
        let mut failed = None;
        let analysis = analyse_by_values(position, |position| {
            self.action_values(position).unwrap_or_else(|error| {
                failed.get_or_insert(error);
                Vec::new()
            })
        });
        failed.map_or(Ok(Some(analysis)), Err)
    }

    fn action_values(
        &mut self,
        position: &Position,
    ) -> Result<Vec<(Action, ValueForFirst)>, TablebaseError> {
        position.successors().map(|(action, after)| Ok((action, self.value(&after)?))).collect()
    }

    fn value(&mut self, position: &Position) -> Result<ValueForFirst, TablebaseError> {
        let mut failed = None;
        let points = ActionTree::of(position).points_for_first(&mut |lead| {
            self.lead_points(lead).unwrap_or_else(|error| {
                failed.get_or_insert(error);
                0
            })
        });
        failed.map_or(Ok(ValueForFirst::new(points)), Err)
    }

    fn lead_points(&mut self, lead: &LeadPosition) -> Result<i32, TablebaseError> {
        let LayerPosition { free, hands, live, own } = LayerPosition::of(lead);
        let stretch = self.table.layers.get(free, hands, live.count_ones() as usize);
        let Some(stretch) = stretch else { return Ok(0) };
        let at = rank(live) * stretch.row + rank(places_of(own, live));
        let block = stretch.first_block + at / BLOCK;
        if self.unpacked != Some(block) {
            self.unpacked = None;
            let out = &mut self.block[..stretch.held_by(block)];
            self.table.unpack(block, &mut self.unpacker, out)?;
            self.unpacked = Some(block);
        }
        let points = self.table.codes.points(self.block[at % BLOCK].cast_signed());
        Ok(points * lead.leader.sign_for_first())
    }
}

impl Tablebase {
    /// Creates a reader of the tablebase. Each thread needs its own reader.
    #[must_use]
    pub fn reader(&self) -> TablebaseReader<'_> {
        TablebaseReader::new(self)
    }
}
