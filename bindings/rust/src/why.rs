//! Why a step is short.

use crate::{abi, check, Impact, Kind, Result};
use std::fmt;

/// What limits a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// No pair does.
    None,
    /// The pair comes within its separation during the step.
    Meeting,
    /// The pair does so that early that its places there round to those of the start.
    TooShort,
    /// An edge passes through a face at the start, which `check_start` finds.
    Crossing,
    /// The pair touches at the start.
    Touching,
    /// The pair is within the sum of its radii at the start.
    Radii,
    /// The pair is within its separation at the start, but not within its radii.
    Separation,
    /// A budget was spent before the pair was decided.
    Undecided,
}

/// Why a step is short: the first pair that limits it, and what is true of it at the start. It prints as sentences, with what to do.
#[derive(Clone, Debug)]
pub struct Why {
    /// That of [`Step::earliest`](crate::Step::earliest).
    pub impact: Impact,
    pub cause: Cause,
    /// The step of [`Step::advance`](crate::Step::advance) with the share 1.
    pub alpha: f64,
    /// The distance of the pair at the start, without its radii, is from this; infinity without a pair.
    pub distance_lo: f64,
    /// To this.
    pub distance_hi: f64,
    /// Of the pair: the least separation of the options, and both radii.
    pub separation: f64,
    /// Those of a and of b.
    pub radius: [f64; 2],
    /// How many pairs are within their separation at the start.
    pub initial: i64,
    /// Those of a, then those of b.
    pub vertices: Vec<i32>,
    /// The least number of edges of the mesh from a vertex of a to one of b; None above 64.
    pub rings: Option<i32>,
    /// A vertex of a and one of b at one place at the start.
    pub same: Option<[i32; 2]>,
    /// Where `vertices` are at the start.
    pub x0: Vec<[f64; 3]>,
    /// The same at the end.
    pub x1: Vec<[f64; 3]>,
    /// The causes of the pairs that are within their separation at the start, with their numbers of pairs.
    pub at_start: Vec<(Cause, i64)>,
    /// Pairs that limit the step when the remedy for this one is done, where the cause is one at the start: the first of each cause at
    /// the start that the remedy leaves, and then the earliest of those that begin farther apart.
    pub others: Vec<Limit>,
    text: String,
}

/// A pair that limits a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    pub cause: Cause,
    /// The time up to which it is apart: 0 at the start.
    pub toi_lo: f64,
    pub kind: Kind,
    pub a: i64,
    pub b: i64,
    /// Those of a, then those of b.
    pub vertices: Vec<i32>,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn cause(number: i32) -> Cause {
    match number {
        abi::CCD_CAUSE_NONE => Cause::None,
        abi::CCD_CAUSE_MEETING => Cause::Meeting,
        abi::CCD_CAUSE_TOO_SHORT => Cause::TooShort,
        abi::CCD_CAUSE_CROSSING => Cause::Crossing,
        abi::CCD_CAUSE_TOUCHING => Cause::Touching,
        abi::CCD_CAUSE_RADII => Cause::Radii,
        abi::CCD_CAUSE_SEPARATION => Cause::Separation,
        _ => Cause::Undecided,
    }
}

impl Why {
    pub(crate) fn of(w: &abi::ccd_why) -> Result<Why> {
        let vertices: Vec<i32> = w.vertices.iter().copied().filter(|&v| v >= 0).collect();
        let places = |at: usize| (0..vertices.len()).map(|i| [0, 1, 2].map(|k| w.q[3 * (at + i) + k])).collect();
        Ok(Why {
            impact: w.impact.into(),
            cause: cause(w.cause),
            alpha: w.alpha,
            distance_lo: w.distance_lo,
            distance_hi: w.distance_hi,
            separation: w.separation,
            radius: w.radius,
            initial: w.initial,
            rings: Some(w.rings).filter(|&r| r >= 0),
            same: Some(w.same).filter(|s| s[0] >= 0),
            x0: places(0),
            x1: places(vertices.len()),
            at_start: (abi::CCD_CAUSE_CROSSING..).map(cause).zip(w.at_start).filter(|c| c.1 > 0).collect(),
            others: w.others.iter().filter_map(limit).collect(),
            text: text(w)?,
            vertices,
        })
    }
}

fn limit(l: &abi::ccd_limit) -> Option<Limit> {
    let vertices = l.vertices.iter().copied().filter(|&v| v >= 0).collect();
    Some(Limit { kind: Kind::of(l.kind)?, cause: cause(l.cause), toi_lo: l.toi_lo, a: l.a, b: l.b, vertices })
}

fn text(w: &abi::ccd_why) -> Result<String> {
    let mut bytes = vec![0u8; 4096]; // the sentences have some hundreds
    let mut length = 0;
    check(unsafe { abi::ccd_why_text(w, bytes.as_mut_ptr().cast(), bytes.len(), &mut length) })?;
    bytes.truncate(length.saturating_sub(1)); // the length counts the 0 at the end
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
