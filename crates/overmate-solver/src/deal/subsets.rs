//! Provides functions on bit sets of small numbers, for example for the colexicographic rank of a set.

/// Binomial coefficients C(n, k) for `n` up to 20 and `k` up to 21.
pub(crate) static BINOMIALS: [[u32; 22]; 21] = {
    let mut table = [[0; 22]; 21];
    let mut n = 0;
    while n < table.len() {
        table[n][0] = 1;
        let mut k = 1;
        while k <= n {
            table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    table
};

/// Returns the binomial coefficient C(n, k) for `n` up to 20.
pub(crate) fn binomial(n: usize, k: usize) -> usize {
    BINOMIALS[n][k] as usize
}

/// Returns the colexicographic rank of a set: the sum of C(eᵢ, i), where eᵢ is the i-th lowest
/// element.
pub(crate) fn rank(set: u32) -> usize {
    (1..).zip(elements(set)).map(|(i, element)| binomial(element, i)).sum()
}

/// Returns the set with a given colexicographic rank among all sets of `size` numbers from 0 to 19.
pub(crate) fn unrank(mut rank: usize, size: usize) -> u32 {
    let mut set = 0;
    let mut element = BINOMIALS.len() - 1;
    for i in (1..=size).rev() {
        while binomial(element, i) > rank {
            element -= 1;
        }
        rank -= binomial(element, i);
        set |= 1 << element;
    }
    set
}

/// Returns all sets of `size` numbers from 0 to `end` - 1 as bit masks, in ascending order.
pub(crate) fn sets_of(end: usize, size: usize) -> impl Iterator<Item = usize> {
    (0..1_usize << end).filter(move |set| set.count_ones() as usize == size)
}

/// Returns the next bit set in numeric order that has as many elements as `set`. `set` must not be empty.
pub(crate) const fn next_set(set: u32) -> u32 {
    let low = set & set.wrapping_neg();
    let ripple = set + low;
    ripple | (((set ^ ripple) >> 2) / low)
}

/// Iterates over the elements of a 64-bit set, in ascending order.
pub fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(bit)
    })
}

/// Iterates over the elements of a 32-bit set, in ascending order.
pub(crate) fn elements(mut set: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let element = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(element)
    })
}

/// Converts the elements of `held` to their indices among the sorted elements of `live`, and
/// returns the indices as a bit set.
pub(crate) fn places_of(held: u32, live: u32) -> u32 {
    let places = (0..).zip(elements(live)).filter(|(_, element)| held >> element & 1 == 1);
    places.fold(0, |set, (place, _): (u32, usize)| set | 1 << place)
}

/// Returns the elements of `live` whose indices among the sorted elements of `live` are in the bit set `places`. This is the inverse of
/// [`places_of`].
pub(crate) fn elements_at(places: u32, live: u32) -> u32 {
    let held = (0..).zip(elements(live)).filter(|(place, _)| places >> place & 1 == 1);
    held.fold(0, |held, (_, element): (u32, usize)| held | 1 << element)
}
