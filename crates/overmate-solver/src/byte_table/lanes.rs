//! Assigns the hands of seat *second* to the bytes of a row, and permutes rows when a card joins a hand.

use std::sync::OnceLock;

use crate::deal::cards::MAX_TABLE_HAND;

/// Number of bytes in a row, enough for the C(10, 5) = 252 hands of five out of ten cards.
pub(super) const LANES: usize = 256;

/// Number of consecutive bytes of a row that a byte shuffle of [`Moves`] fills.
pub(super) const BLOCK: usize = 32;

/// Permutation of a row that moves the value of each set of cards to the set with a given card
/// added.
#[derive(Debug)]
pub(super) struct Permutation {
    /// Byte index, for each set with the added card, of the set without the added card.
    pub(super) from: [u8; LANES],
    /// Bit mask of the sets that contain the added card.
    pub(super) holding: [u64; LANES / 64],
    /// Byte mask of the sets that contain the added card.
    pub(super) holding_bytes: [u8; LANES],
    /// Bit mask of the sets whose source value lies in the upper half of the row.
    pub(super) from_upper: [u64; LANES / 64],
    /// List of byte shuffles, each of 16-byte windows, that together perform the permutation.
    pub(super) moves: Moves,
}

/// Index of the source byte for each byte of a block, counted from the start of a 16-byte window of the row. The highest bit is set for a
/// lane without a source.
#[derive(Debug)]
#[repr(align(32))]
pub(super) struct Places(pub(super) [u8; BLOCK]);

/// List of byte shuffles, each of which moves bytes from two 16-byte windows to the two halves of a block. If the sources of a half stand
/// further apart, the block has several shuffles.
#[derive(Debug, Default)]
pub(super) struct Moves {
    places: Vec<Places>,
    targets: Vec<Target>,
}

/// Block that a byte shuffle fills, with the two 16-byte windows that the shuffle reads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// Indices of the first bytes of both 16-byte windows in the row, each at most [`LANES`] − 16.
    windows: [u8; 2],
    /// Index of the block in the row, from 0.
    pub(super) block: u8,
}

impl Target {
    /// Returns the indices of the first bytes of both 16-byte windows in the row, each at most [`LANES`] − 16.
    #[inline]
    pub(super) fn windows(self) -> [usize; 2] {
        self.windows.map(usize::from)
    }
}

impl Moves {
    /// Computes byte shuffles that fill every byte of a row for which `source` returns a source index.
    fn of_sources(source: impl Fn(usize) -> Option<u8>) -> Self {
        let mut moves = Self::default();
        for block in 0..LANES / BLOCK {
            let mut left: Vec<(usize, u8)> =
                (0..BLOCK).filter_map(|lane| Some((lane, source(block * BLOCK + lane)?))).collect();
            while !left.is_empty() {
                let windows = [0, 1].map(|half| {
                    let of_half = left.iter().filter(|(lane, _)| lane / 16 == half);
                    let start = of_half.map(|(_, from)| *from).min().unwrap_or_default();
                    start.min(u8::try_from(LANES - 16).expect("a row has 256 bytes"))
                });
                let mut places = [0x80; BLOCK];
                left.retain(|&(lane, from)| {
                    let place = from - windows[lane / 16];
                    if place < 16 {
                        places[lane] = place;
                    }
                    place >= 16
                });
                let block = u8::try_from(block).expect("a row has 8 blocks");
                moves.places.push(Places(places));
                moves.targets.push(Target { windows, block });
            }
        }
        moves
    }

    /// Returns an iterator over the byte shuffles, each with the block that the shuffle fills.
    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Places, &Target)> {
        self.places.iter().zip(&self.targets)
    }
}

/// Byte index in a row for each set of at most ten cards, with the permutations of rows. They depend on the number of cards only.
#[derive(Debug)]
pub(super) struct Lanes {
    /// Permutations of rows that add a card to each set, indexed by the size of the resulting sets and by the card.
    pub(super) permutations: Vec<Vec<Permutation>>,
    /// Byte index of each set of cards among the sets of equal size, indexed by the set's bit mask.
    pub(super) lane_of: Vec<u8>,
}

impl Lanes {
    /// Returns the byte indices and permutations for hands of `hand_size` cards, which are computed on the first call.
    pub(super) fn of_hand(hand_size: usize) -> &'static Self {
        static OF_HANDS: [OnceLock<Lanes>; MAX_TABLE_HAND as usize + 1] =
            [const { OnceLock::new() }; MAX_TABLE_HAND as usize + 1];
        OF_HANDS[hand_size].get_or_init(|| Self::new(hand_size))
    }

    fn new(hand_size: usize) -> Self {
        let of_size = |size: usize| {
            (0..1usize << hand_size).filter(move |set| set.count_ones() as usize == size)
        };
        let mut lane_of = vec![0u8; 1 << hand_size];
        for size in 0..=hand_size {
            for (lane, set) in (0..=u8::MAX).zip(of_size(size)) {
                lane_of[set] = lane;
            }
        }
        let permutation = |size: usize, card: usize| {
            let mut sources = [None; LANES];
            let mut permutation = Permutation {
                from: [0; LANES],
                holding: [0; 4],
                holding_bytes: [0; LANES],
                from_upper: [0; 4],
                moves: Moves::default(),
            };
            for (lane, set) in of_size(size).enumerate().filter(|(_, set)| set >> card & 1 == 1) {
                let from = lane_of[set & !(1 << card)];
                let (word, bit) = (lane / 64, 1 << (lane % 64));
                permutation.from[lane] = from;
                permutation.holding[word] |= bit;
                permutation.holding_bytes[lane] = u8::MAX;
                permutation.from_upper[word] |= if from >= 128 { bit } else { 0 };
                sources[lane] = Some(from);
            }
            permutation.moves = Moves::of_sources(|lane| sources[lane]);
            permutation
        };
        let permutations = (0..=hand_size)
            .map(|size| (0..hand_size).map(|card| permutation(size, card)).collect())
            .collect();
        Self { permutations, lane_of }
    }
}
