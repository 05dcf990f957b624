//! Implements the inner loops (kernels) that solve positions from the solved positions after each move. There are three implementations.
//!
//! A row has the values of all positions in which both hands together hold the same cards. Each division of these cards between both hands
//! is a lane of the row. After a lead, each division of the other cards is a lane. In the lanes in which the follower holds an answer,
//! the values after this move are those of the smaller row without both cards. If the same player leads next, they have the same order. If
//! the other player leads next, they are negated and have the opposite order. The kernels *spread* the smaller row over those lanes.
//!
//! The value of a lead is the minimum over the answers of the first tier of which the follower holds a card. While the free move is
//! unused, later tiers that it opens also count, with values from the layer in which the free move is used. If no card can answer, the
//! value is that of a mate. The value of a position is the maximum over the leads: the values after each lead are spread over the lanes in
//! which the leader holds the led card. All kernels give the same bytes.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod dispatch;
mod portable;
mod row;
mod spreads;

pub(crate) use dispatch::PreparedKernel;
