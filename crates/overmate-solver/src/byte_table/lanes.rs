//! Assigns numbers to the possible hands of a seat, and computes the byte shuffles that copy position values from row to row. The copied
//! values are those after a lead, and their target is the row of the positions before the lead.

use core::array;
use std::sync::OnceLock;

use crate::deal::cards::MAX_TABLE_HAND;

/// Number of bytes in a row of position values. A row has room for the C(10, 5) = 252 hands of five out of ten cards.
pub(super) const LANES: usize = 256;

/// Length of each list that has an entry for each possible answer to a lead. The entries stand for ten cards and for no answer, and five
/// entries are unused: a power of two saves index checks.
pub(super) const ANSWERS: usize = 16;

/// Index of the entry for "no answer" (a mate), in a list with one entry for each possible answer to a lead.
pub(super) const NO_ANSWER: usize = MAX_TABLE_HAND as usize;

/// Byte shuffle of a vector instruction, which copies position values to a block of `BLOCK` adjacent bytes in a table row. The block has
/// `WINDOWS` equal parts. Each part takes its bytes from one window: equally many consecutive bytes of the row of one card.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Shuffle<const BLOCK: usize, const WINDOWS: usize> {
    /// Index of the byte that the shuffle copies to each byte of the block, or [`NO_SOURCE`] if the shuffle copies no byte there. The index
    /// counts from the start of the window that contains the copied byte.
    pub(super) places: [u8; BLOCK],
    /// Start index of each window (run of adjacent bytes) from which the byte shuffle copies position values. A window lies inside the row
    /// of one card. The index counts through the rows of all led cards, which follow each other in memory.
    pub(super) starts: [u16; WINDOWS],
}

/// Entry of [`Shuffle::places`] for a byte that the shuffle does not fill. Only the highest bit of the entry is set.
const NO_SOURCE: u8 = 0x80;

/// Byte shuffles for a row of position values: one list of shuffles for each block of `BLOCK` adjacent bytes of the row. For each hand and
/// each of its cards, one of the shuffles reads the value of the hand without the card from the card's row.
pub(super) type Blocks<const BLOCK: usize, const WINDOWS: usize> =
    Vec<Vec<Shuffle<BLOCK, WINDOWS>>>;

/// Numbering of all subsets of a dealt hand of at most ten cards: the index of each subset in a row of position values. Also holds the byte
/// shuffles that move values from row to row. The indices and the shuffles depend only on the number of cards in the hands.
#[derive(Debug)]
pub(super) struct Lanes {
    /// Bit masks of all hands of each size, in ascending order, indexed by the hand size.
    pub(super) hands: Vec<Vec<usize>>,
    /// Number of hands with fewer than *n* cards, for each hand size *n*.
    pub(super) smaller: Vec<usize>,
    /// Place of each set of cards in the tables of position values, indexed by the set's bit mask.
    pub(super) places: Vec<HandPlace>,
    /// Index of the set that remains after the removal of a card, for each set of cards and each card. The list is indexed by the set's bit
    /// mask and then by the card. The entry [`NO_ANSWER`] is 0.
    pub(super) without: Vec<[u8; ANSWERS]>,
    /// Byte shuffles for vector registers of 32 bytes, indexed by the number of cards in the leader's hand. The halves of a register are
    /// shuffled separately.
    pub(super) blocks_of_32: Vec<Blocks<32, 2>>,
    /// Byte shuffles for vector registers of 64 bytes, indexed by the number of cards in the leader's hand.
    pub(super) blocks_of_64: Vec<Blocks<64, 1>>,
}

/// Place of a hand in a table of position values. The table has a row for each hand of the follower, and a row has a byte for each hand of
/// the leader.
#[derive(Clone, Copy, Debug)]
pub(super) struct HandPlace {
    /// Index of the hand among all hands, which are sorted by their size.
    pub(super) row: u16,
    /// Index of the hand among all hands of equal size.
    pub(super) lane: u8,
    /// Number of cards in the hand.
    pub(super) size: u8,
}

impl Lanes {
    /// Returns a number for each subset of a hand of `hand_size` cards, and the byte shuffles that move position values between table rows.
    /// Both are computed on the first call.
    pub(super) fn of_hand(hand_size: usize) -> &'static Self {
        static OF_HANDS: [OnceLock<Lanes>; MAX_TABLE_HAND as usize + 1] =
            [const { OnceLock::new() }; MAX_TABLE_HAND as usize + 1];
        OF_HANDS[hand_size].get_or_init(|| Self::new(hand_size))
    }

    fn new(hand_size: usize) -> Self {
        let mut hands = vec![Vec::new(); hand_size + 1];
        let mut lane_of = vec![0; 1 << hand_size];
        for hand in 0..1_usize << hand_size {
            let of_size = &mut hands[hand.count_ones() as usize];
            lane_of[hand] = u8::try_from(of_size.len()).expect("at most 252 hands have one size");
            of_size.push(hand);
        }
        let smaller = hands.iter().scan(0, |sum, hands| {
            let smaller = *sum;
            *sum += hands.len();
            Some(smaller)
        });
        let smaller: Vec<usize> = smaller.collect();
        let place = |hand: usize| {
            let (lane, size) = (lane_of[hand], hand.count_ones() as usize);
            let row = smaller[size] + usize::from(lane);
            HandPlace {
                row: u16::try_from(row).expect("a deal has at most 1,024 hands of a seat"),
                lane,
                size: u8::try_from(size).expect("a hand has at most ten cards"),
            }
        };
        let places = (0..1 << hand_size).map(place).collect();
        let without = |hand: usize| {
            array::from_fn(
                |card| if hand >> card & 1 == 1 { lane_of[hand & !(1 << card)] } else { 0 },
            )
        };
        let without = (0..1 << hand_size).map(without).collect();
        let blocks_of_32 = hands.iter().map(|hands| blocks(hands, &lane_of)).collect();
        let blocks_of_64 = hands.iter().map(|hands| blocks(hands, &lane_of)).collect();
        Self { hands, smaller, places, without, blocks_of_32, blocks_of_64 }
    }
}

/// Computes the byte shuffles by which vector instructions copy position values to a table row. The row has one byte for each hand in
/// `hands`.
fn blocks<const BLOCK: usize, const WINDOWS: usize>(
    hands: &[usize],
    lane_of: &[u8],
) -> Blocks<BLOCK, WINDOWS> {
    let part = BLOCK / WINDOWS;
    let of_block = |block: &[usize]| {
        let mut parts = block.chunks(part).map(|hands| windows(hands, lane_of, part));
        let parts: [Vec<Window>; WINDOWS] = array::from_fn(|_| parts.next().unwrap_or_default());
        let count = parts.iter().map(Vec::len).max().unwrap_or_default();
        let shuffle = |number: usize| {
            let mut shuffle = Shuffle { places: [NO_SOURCE; BLOCK], starts: [0; WINDOWS] };
            let targets = shuffle.places.chunks_exact_mut(part);
            for ((windows, target), start) in parts.iter().zip(targets).zip(&mut shuffle.starts) {
                if let Some(window) = windows.get(number) {
                    *start = window.start;
                    target.copy_from_slice(&window.places);
                }
            }
            shuffle
        };
        (0..count).map(shuffle).collect()
    };
    hands.chunks(BLOCK).map(of_block).collect()
}

/// Window: run of adjacent bytes from which a byte shuffle copies position values. The window lies in the row of values after a lead of one
/// card. For each target byte, `places` holds the index of its source byte in the window, or [`NO_SOURCE`].
struct Window {
    start: u16,
    places: Vec<u8>,
}

/// Returns the windows (runs of `size` adjacent bytes) that contain all position values to be copied for the hands in `hands`. The list
/// `hands` has at most `size` hands.
fn windows(hands: &[usize], lane_of: &[u8], size: usize) -> Vec<Window> {
    let mut windows = Vec::new();
    for card in 0..MAX_TABLE_HAND.into() {
        let with_card = hands.iter().enumerate().filter(|(_, hand)| *hand >> card & 1 == 1);
        let mut left: Vec<(usize, usize)> =
            with_card.map(|(i, hand)| (i, lane_of[hand & !(1 << card)].into())).collect();
        // The list `left` is sorted by the index of the byte to copy. The bit masks of the hands ascend, and still ascend after the removal
        // of the same card from all hands. A window that starts at the first remaining byte therefore also covers the next bytes to copy.
        while let Some(&(_, first)) = left.first() {
            let start = first.min(LANES - size);
            let mut places = vec![NO_SOURCE; size];
            left.retain(|&(i, source)| {
                let place = source - start;
                if place < size {
                    places[i] = u8::try_from(place).expect("a window is smaller than a row");
                }
                place >= size
            });
            let start = u16::try_from(card * LANES + start).expect("ten rows have 2560 bytes");
            windows.push(Window { start, places });
        }
    }
    windows
}
