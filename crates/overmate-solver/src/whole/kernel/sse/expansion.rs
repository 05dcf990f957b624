//! Defines byte shuffles that move solved values to the positions that use them, 16 positions at a
//! time.

use core::arch::x86_64::{
    __m128i, _mm_and_si128, _mm_castpd_si128, _mm_castsi128_pd, _mm_cmpeq_epi8, _mm_loadh_pd,
    _mm_loadl_epi64, _mm_loadu_si128, _mm_or_si128, _mm_set_epi64x, _mm_set1_epi8, _mm_set1_epi16,
    _mm_set1_epi64x, _mm_setzero_si128, _mm_shuffle_epi8, _mm_subs_epi8, _mm_xor_si128,
};

use crate::whole::mirror::{FAR, Mirror, NEAR};

pub(in super::super) fn supported() -> bool {
    is_x86_feature_detected!("ssse3")
        && is_x86_feature_detected!("sse4.1")
        && is_x86_feature_detected!("popcnt")
}

/// Number of 16-byte registers for the values of 64 positions.
pub(super) const PARTS: usize = 4;

/// Values of 64 positions, one byte each, in 16-byte registers.
pub(super) type Word = [__m128i; PARTS];

/// Byte shuffle that moves consecutive solved values to a subset of 64 positions.
#[derive(Clone, Copy)]
pub(super) struct Expansion {
    /// Source byte of each of the 64 positions. The highest bit is set for a position without a
    /// source.
    places: Word,
    /// Byte offset, within the solved values, of the data for each register.
    pub(super) starts: [u16; PARTS],
}

impl Expansion {
    /// Computes the shuffle that moves the values from the offset `from` on to the positions in
    /// `lanes`. Also returns the number of set entries.
    #[inline]
    #[target_feature(enable = "ssse3,sse4.1,popcnt")]
    fn new(lanes: u64, from: u32) -> (Self, u32) {
        let (mut places, mut starts) = ([_mm_setzero_si128(); PARTS], [0; PARTS]);
        let mut at = from;
        for part in 0..PARTS {
            let [low, high, ..] = (lanes >> (part * 16)).to_le_bytes();
            let low_below = &BELOW[0][usize::from(low)];
            let high_below = &BELOW[low.count_ones() as usize][usize::from(high)];
            // SAFETY: the sources have 8 bytes each, and the loads need no alignment.
            places[part] = unsafe {
                let below = _mm_castsi128_pd(_mm_loadl_epi64((&raw const *low_below).cast()));
                _mm_castpd_si128(_mm_loadh_pd(below, (&raw const *high_below).cast()))
            };
            starts[part] = u16::try_from(at).expect("a row after a move is shorter than 65536");
            at += u16::from_le_bytes([low, high]).count_ones();
        }
        (Self { places, starts }, at - from)
    }

    /// Reads consecutive solved values, and moves them to a subset of 16 positions. Lanes without a
    /// source are the highest byte in the first register and the lowest byte in the second.
    ///
    /// # Safety
    ///
    /// There must be 16 readable bytes at the offset where the part begins.
    #[inline]
    #[target_feature(enable = "ssse3,sse4.1,popcnt")]
    pub(super) unsafe fn read(&self, row: *const i8, part: usize) -> [__m128i; 2] {
        let places = self.places[part];
        // SAFETY: the caller guarantees that the bytes exist.
        let values = unsafe { _mm_loadu_si128(row.add(self.starts[part].into()).cast()) };
        // Positions without a source become zero, and then the highest or the lowest byte.
        let values = _mm_shuffle_epi8(values, places);
        let lacking = _mm_and_si128(places, _mm_set1_epi8(i8::MIN));
        [_mm_subs_epi8(values, lacking), _mm_or_si128(values, lacking)]
    }
}

/// Returns a byte shuffle for each bit mask of 64 positions, and the number of values that all
/// shuffles read.
#[inline]
#[target_feature(enable = "ssse3,sse4.1,popcnt")]
pub(super) fn expansions_of<const WORDS: usize>(
    mut words: impl Iterator<Item = u64>,
) -> ([Expansion; WORDS], u32) {
    let mut at = 0;
    let made = core::array::from_fn(|_| {
        let (expansion, count) = Expansion::new(words.next().unwrap_or_default(), at);
        at += count;
        expansion
    });
    (made, at)
}

/// Maximum number of cards in both hands together for which the byte shuffles are precomputed. With
/// 17 cards the shuffles take 18 MB. With more cards there are fewer rows than pairs of cards.
const MOST_LIVE: usize = 17;

/// Byte shuffles of a layer, one for each pair of a led card and an answer.
pub(in super::super) struct Expansions {
    live: usize,
    words: usize,
    /// Byte shuffles by half ([`NEAR`] or [`FAR`]), winning card, losing card and word of 64
    /// positions. Offsets count from the start of the row.
    sides: [Vec<Expansion>; 2],
    /// Byte masks by half ([`NEAR`] or [`FAR`]) and card, with 127 where the leader holds the card
    /// and −128 elsewhere.
    held: [Vec<Word>; 2],
}

impl Expansions {
    /// Computes the byte shuffles of a layer, or returns `None` if they would need too much memory.
    pub(in super::super) fn new(mirror: &Mirror) -> Option<Self> {
        assert!(supported(), "the caller must check `supported` first");
        // SAFETY: the processor has the instructions, as has just been asserted.
        (mirror.live() <= MOST_LIVE).then(|| unsafe { Self::of_layer(mirror) })
    }

    #[target_feature(enable = "ssse3,sse4.1,popcnt")]
    fn of_layer(mirror: &Mirror) -> Self {
        let (live, words) = (mirror.live(), mirror.side_words());
        let after_move = u32::try_from(mirror.after_move())
            .expect("a row after a move is shorter than 2^32 bytes");
        let sides = [NEAR, FAR].map(|side| {
            let mut all = Vec::with_capacity(live * live * words);
            for pair in 0..live * live {
                let [winner, loser] =
                    [pair / live, pair % live].map(|place| mirror.held(side, place));
                let mut at = if side == NEAR { 0 } else { after_move };
                for (winner, loser) in winner.iter().zip(loser) {
                    let lanes = winner & !loser;
                    // The first half reads upwards from the start of the row, the second half downwards from its end.
                    let from = if side == NEAR { at } else { at - lanes.count_ones() };
                    let (expansion, count) = Expansion::new(lanes, from);
                    at = if side == NEAR { at + count } else { from };
                    all.push(expansion);
                }
            }
            all
        });
        let held = [NEAR, FAR].map(|side| {
            let words = (0..live).flat_map(|place| mirror.held(side, place));
            words.map(|&lanes| barred(!lanes)).collect()
        });
        Self { live, words, sides, held }
    }

    /// Returns the byte shuffles for a given winning and losing card, for `WORDS` words of 64
    /// positions.
    #[inline]
    pub(super) fn of<const WORDS: usize>(
        &self,
        side: usize,
        [winner, loser]: [u8; 2],
        first: usize,
    ) -> &[Expansion; WORDS] {
        let pair = usize::from(winner) * self.live + usize::from(loser);
        chunk(&self.sides[side], pair * self.words + first)
    }

    /// Returns byte masks for `WORDS` words of 64 positions, with 127 where the leader holds the card `place` and −128 elsewhere.
    #[inline]
    pub(super) fn held<const WORDS: usize>(
        &self,
        side: usize,
        place: u8,
        first: usize,
    ) -> &[Word; WORDS] {
        chunk(&self.held[side], usize::from(place) * self.words + first)
    }
}

#[inline]
fn chunk<T, const WORDS: usize>(all: &[T], at: usize) -> &[T; WORDS] {
    all[at..].first_chunk().expect("the caller must ask for at most the existing words")
}

/// Converts a bit mask of 64 positions to a byte mask, with −128 for a set bit and 127 for a clear bit.
#[inline]
#[target_feature(enable = "ssse3,sse4.1")]
pub(super) fn barred(lanes: u64) -> Word {
    core::array::from_fn(|part| {
        let [low, high, ..] = (lanes >> (part * 16)).to_le_bytes();
        let bytes = _mm_set1_epi16(i16::from_le_bytes([low, high]));
        let bytes = _mm_shuffle_epi8(bytes, _mm_set_epi64x(0x0101_0101_0101_0101, 0));
        let bits = _mm_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
        let set = _mm_cmpeq_epi8(_mm_and_si128(bytes, bits), bits);
        _mm_xor_si128(set, _mm_set1_epi8(i8::MAX))
    })
}

/// Byte shuffles for eight positions, indexed by the number of earlier values and by the bit mask
/// of the positions. A position in the mask has the index of its value. Any other position has a
/// byte with the highest bit set.
static BELOW: [[u64; 256]; 9] = {
    let mut table = [[0; 256]; 9];
    let mut at = 0;
    while at < 9 * 256 {
        let (before, mask) = (at / 256, at % 256);
        let (mut lane, mut below) = (0, before as u64);
        while lane < 8 {
            let byte = if mask >> lane & 1 == 1 { below } else { 0x80 };
            table[before][mask] |= byte << (lane * 8);
            below += (mask >> lane & 1) as u64;
            lane += 1;
        }
        at += 1;
    }
    table
};
