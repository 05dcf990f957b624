//! Defines byte shuffles that copy consecutive solved values to the positions that use them, 32 positions at a time.

use core::arch::x86_64::{
    __m256i, _mm_loadu_si128, _mm256_and_si256, _mm256_castsi128_si256, _mm256_cmpeq_epi8,
    _mm256_inserti128_si256, _mm256_set_epi64x, _mm256_set1_epi8, _mm256_set1_epi32,
    _mm256_set1_epi64x, _mm256_shuffle_epi8, _mm256_xor_si256,
};

use crate::kernel::Kernel;
use crate::whole::mirror::{FAR, Mirror, NEAR};

/// Number of 32-byte registers that together hold the values of 64 positions.
pub(super) const PARTS: usize = 2;

/// Two 32-byte registers with the values of 64 positions, one byte each.
pub(super) type Word = [__m256i; PARTS];

/// Index, for each of 64 positions, of the solved value (one byte) that is copied to the position. The index counts from the first value
/// for the position's group of 16 positions. The highest bit is set for a position without a source.
type Places = Word;

/// Byte offset of the first solved value for each group of 16 positions in a word of 64 positions.
pub(super) type Starts = [u16; 4];

/// Byte shuffles that copy consecutive solved values to chosen positions in `WORDS` words of 64 positions.
#[derive(Clone, Copy)]
pub(super) struct Shuffles<'a, const WORDS: usize> {
    places: &'a [Places; WORDS],
    pub(super) starts: &'a [Starts; WORDS],
}

impl<const WORDS: usize> Shuffles<'_, WORDS> {
    /// Reads consecutive solved values, and copies the values to the chosen positions among 32
    /// positions. The result has the score codes plus 128 as unsigned bytes, and zeros for
    /// positions without a source.
    ///
    /// # Safety
    ///
    /// There must be 16 readable bytes at the offsets of both groups of 16 positions that the part consists of.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) unsafe fn read(&self, row: *const i8, word: usize, part: usize) -> __m256i {
        let [low, high] = [0, 1].map(|half| {
            let start = usize::from(self.starts[word][2 * part + half]);
            // SAFETY: the caller guarantees 16 readable bytes at the offsets of both groups of 16 positions.
            unsafe { _mm_loadu_si128(row.add(start).cast()) }
        });
        let values = _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high);
        let values = _mm256_xor_si256(values, _mm256_set1_epi8(i8::MIN));
        _mm256_shuffle_epi8(values, self.places[word][part])
    }
}

/// Byte shuffles for `WORDS` words of 64 positions, computed immediately before their use.
pub(super) struct OwnShuffles<const WORDS: usize> {
    places: [Places; WORDS],
    starts: [Starts; WORDS],
    /// Total number of solved values that the byte shuffles of all words copy.
    pub(super) count: u32,
}

impl<const WORDS: usize> OwnShuffles<WORDS> {
    /// Computes one byte shuffle for each bit mask of 64 positions in `words`. If `backwards` is
    /// set, the values for the last word come first.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub(super) fn new(words: [u64; WORDS], backwards: bool) -> Self {
        let mut made = Self { places: [spread(0); WORDS], starts: [[0; 4]; WORDS], count: 0 };
        for word in 0..WORDS {
            let word = if backwards { WORDS - 1 - word } else { word };
            (made.places[word], made.starts[word]) = shuffle(words[word], made.count);
            made.count += words[word].count_ones();
        }
        made
    }

    #[inline]
    pub(super) fn as_shuffles(&self) -> Shuffles<'_, WORDS> {
        Shuffles { places: &self.places, starts: &self.starts }
    }
}

/// Computes the byte shuffle that copies consecutive values from the offset `from` to the positions in the bit mask `lanes`.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn shuffle(lanes: u64, from: u32) -> (Places, Starts) {
    let mut starts = [0; 4];
    let mut at = from;
    let places = core::array::from_fn(|part| {
        let mut below = [[0; 2]; 2];
        for half in 0..2 {
            let [low, high, ..] = (lanes >> (part * 32 + half * 16)).to_le_bytes();
            below[half] = [
                BELOW[0][usize::from(low)].cast_signed(),
                BELOW[low.count_ones() as usize][usize::from(high)].cast_signed(),
            ];
            let start = u16::try_from(at).expect("a row after a move is shorter than 65536");
            starts[2 * part + half] = start;
            at += u16::from_le_bytes([low, high]).count_ones();
        }
        let [[first, second], [third, fourth]] = below;
        _mm256_set_epi64x(fourth, third, second, first)
    });
    (places, starts)
}

/// Maximum number of cards in both hands together for which the solver precomputes byte shuffles. With 17 cards the shuffles take 16 MB.
/// With more cards a layer has fewer rows than pairs of cards, so that precomputing the shuffles of all pairs does not pay.
const MOST_LIVE: usize = 17;

/// Precomputed byte shuffles of a layer, one for each pair of a winning and a losing card.
pub(in super::super) struct Expansions {
    live: usize,
    words: usize,
    /// Byte shuffles, indexed by the half of the positions ([`NEAR`] or [`FAR`]), the winning card,
    /// the losing card and the word of 64 positions. Offsets count from the start of the row.
    places: [Vec<Places>; 2],
    starts: [Vec<Starts>; 2],
    /// Byte masks of the positions in which the leader holds a card, with all bits set in the bytes of these positions. The indices are the
    /// half of the positions ([`NEAR`] or [`FAR`]) and the card.
    held: [Vec<Word>; 2],
}

impl Expansions {
    /// Computes the byte shuffles of a layer of positions, or returns `None` if the shuffles would
    /// take too much memory.
    pub(in super::super) fn new(mirror: &Mirror) -> Option<Self> {
        assert!(Kernel::Avx2.is_supported(), "the caller must check the processor first");
        // SAFETY: the assertion above ensures that the processor supports AVX2 and POPCNT.
        (mirror.live() <= MOST_LIVE).then(|| unsafe { Self::of_layer(mirror) })
    }

    #[target_feature(enable = "avx2,popcnt")]
    fn of_layer(mirror: &Mirror) -> Self {
        let (live, words) = (mirror.live(), mirror.side_words());
        let after_move = u32::try_from(mirror.after_move())
            .expect("a row after a move is shorter than 2^32 bytes");
        let (mut places, mut starts) = ([const { Vec::new() }; 2], [const { Vec::new() }; 2]);
        for side in [NEAR, FAR] {
            places[side].reserve_exact(live * live * words);
            starts[side].reserve_exact(live * live * words);
            for pair in 0..live * live {
                let [winner, loser] =
                    [pair / live, pair % live].map(|place| mirror.held(side, place));
                let mut at = if side == NEAR { 0 } else { after_move };
                for (winner, loser) in winner.iter().zip(loser) {
                    let lanes = winner & !loser;
                    // The half `NEAR` reads upwards from the start of the row. The half `FAR` reads downwards from the end of the row.
                    let from = if side == NEAR { at } else { at - lanes.count_ones() };
                    let (of_word, starts_of_word) = shuffle(lanes, from);
                    at = if side == NEAR { at + lanes.count_ones() } else { from };
                    places[side].push(of_word);
                    starts[side].push(starts_of_word);
                }
            }
        }
        let held = [NEAR, FAR].map(|side| {
            let words = (0..live).flat_map(|place| mirror.held(side, place));
            words.map(|&lanes| spread(lanes)).collect()
        });
        Self { live, words, places, starts, held }
    }

    /// Returns the byte shuffles that copy the solved values after a move of a winning and a losing card to `WORDS` words of 64 positions.
    #[inline]
    pub(super) fn of<const WORDS: usize>(
        &self,
        side: usize,
        [winner, loser]: [u8; 2],
        first: usize,
    ) -> Shuffles<'_, WORDS> {
        let pair = usize::from(winner) * self.live + usize::from(loser);
        let at = pair * self.words + first;
        Shuffles { places: chunk(&self.places[side], at), starts: chunk(&self.starts[side], at) }
    }

    /// Returns a byte for each position in `WORDS` words of 64 positions. All bits of the byte are set if the leader holds the card `place` in
    /// the position, and no bit otherwise.
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

/// Converts a bit mask of 64 positions to a byte mask of 64 positions.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn spread(lanes: u64) -> Word {
    core::array::from_fn(|part| {
        let [first, second, third, fourth, ..] = (lanes >> (part * 32)).to_le_bytes();
        let bytes = _mm256_set1_epi32(i32::from_le_bytes([first, second, third, fourth]));
        let [zero, one, two, three] = [0, 1, 2, 3].map(|byte: i64| byte * 0x0101_0101_0101_0101);
        let bytes = _mm256_shuffle_epi8(bytes, _mm256_set_epi64x(three, two, one, zero));
        let bits = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64.cast_signed());
        _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bits), bits)
    })
}

/// Table of byte shuffles that copy consecutive values to the positions in a bit mask of eight positions. The indices are the number of
/// source bytes that earlier positions use, and the bit mask. A chosen position has the index of its value. Any other position has a byte
/// with the highest bit set.
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
