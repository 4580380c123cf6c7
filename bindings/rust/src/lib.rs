//! Continuous collision detection: at what time two parts of a moving mesh first touch, with proof.
//!
//! ```
//! let q = [0.25, 0.25, 1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0.25, 0.25, -1., 0., 0., 0., 1., 0., 0., 0., 1., 0.];
//! let hit = ccd::pair_vertex_face(&q, &ccd::Options::default())?;
//! assert_eq!((hit.verdict, hit.toi_lo), (ccd::Verdict::Contact, 0.5));
//! # Ok::<(), ccd::Error>(())
//! ```
//!
//! Safe calls for pairs and for [steps](Step) of [meshes](Mesh), straight or on [paths](Motion), of [candidates](Candidates), of [lists](Neighbors)
//! and of [scenes](Scene). Everything else is in [`abi`], the C interface itself.

use std::fmt;

/// The C interface itself.
#[allow(non_camel_case_types)]
pub mod abi {
    include!(concat!(env!("OUT_DIR"), "/abi.rs"));
}

pub use abi::ccd_linesearch_bound as LineSearchBound;
pub use abi::ccd_neighbors_report as NeighborsReport;
pub use abi::ccd_rigid_motion as RigidMotion;
pub use abi::ccd_scene_part as Part;
pub use abi::ccd_sizes_report as SizesReport;

mod impact;
mod lists;
mod mesh;
mod motion;
mod respond;
mod scene;
mod step;
mod why;
pub use impact::{Constraint, Gradient, GradientState, Impact, Interval, Kind, Clearance, Verdict};
pub use lists::{Candidates, Neighbors};
pub use mesh::Mesh;
pub use motion::Motion;
pub use respond::{RespondOptions, Responded};
pub use scene::{Scene, State};
pub use step::{Group, Sizes, Step};
pub use why::{Cause, Limit, Why};

/// The program of README.md.
#[doc = include_str!("../README.md")]
#[cfg(doctest)]
struct Readme;

/// A status that is not CCD_OK, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub status: abi::ccd_status,
    pub text: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}

pub type Result<T> = std::result::Result<T, Error>;

fn check(status: abi::ccd_status) -> Result<()> {
    if status == abi::CCD_OK {
        return Ok(());
    }
    let mut text = vec![0u8; 1024];
    let length = unsafe { abi::ccd_last_error(text.as_mut_ptr().cast(), text.len()) };
    text.truncate(length.min(text.len() - 1));
    Err(Error { status, text: String::from_utf8_lossy(&text).into_owned() })
}

/// Options of a call. Without a field for callbacks, so that nothing can unwind through C.
#[derive(Clone, Copy)]
pub struct Options(abi::ccd_options);

impl Default for Options {
    fn default() -> Self {
        let mut options = unsafe { std::mem::zeroed::<abi::ccd_options>() };
        unsafe { abi::ccd_options_init(&mut options, std::mem::size_of_val(&options)) };
        Options(options)
    }
}

impl Options {
    pub fn min_separation(mut self, length: f64) -> Self {
        self.0.min_separation = length;
        self
    }

    /// Only times up to this one count; in (0, 1].
    pub fn t_max(mut self, t: f64) -> Self {
        self.0.t_max = t;
        self
    }

    pub fn threads(mut self, count: i32) -> Self {
        self.0.threads = count;
        self
    }

    /// Test whether edges pass through faces at the start of the step; see CCD_CHECK_START.
    pub fn check_start(mut self) -> Self {
        self.0.flags |= abi::CCD_CHECK_START;
        self
    }
}

/// Version of the library that was loaded.
pub fn version() -> u32 {
    unsafe { abi::ccd_version() }
}

/// Why a verdict is `CCD_UNDECIDED`, by the flags of an impact: a text such as "iterations: max_iterations was reached", or "".
pub fn reason(flags: u32) -> &'static str {
    unsafe { std::ffi::CStr::from_ptr(abi::ccd_reason(flags)) }.to_str().unwrap_or("")
}

/// A struct of the C interface of zeros, which a call fills.
fn blank<T>() -> T {
    unsafe { std::mem::zeroed() }
}

fn wrong(text: String) -> Error {
    Error { status: abi::CCD_E_ARGUMENT, text }
}

/// Copies impacts, and destroys their handle.
fn copied(impacts: *mut abi::ccd_impacts) -> Result<Vec<Impact>> {
    let mut count = 0;
    let mut list: Vec<abi::ccd_impact> = Vec::new();
    let copied = check(unsafe { abi::ccd_impacts_count(impacts, &mut count) }).and_then(|()| {
        list.resize(count, blank());
        check(unsafe { abi::ccd_impacts_copy(impacts, list.as_mut_ptr(), count, &mut count) })
    });
    unsafe { abi::ccd_impacts_destroy(impacts) };
    copied.map(|()| list.into_iter().map(Impact::from).collect())
}

/// Vertex against face: v f0 f1 f2 at t = 0, then at t = 1.
pub fn pair_vertex_face(q: &[f64; 24], options: &Options) -> Result<Impact> {
    let mut out: abi::ccd_impact = blank();
    check(unsafe { abi::ccd_pair_vertex_face(q.as_ptr(), &options.0, &mut out) })?;
    Ok(out.into())
}

/// Every interval of contact of one query of a kind, in order. `q` holds the points at t = 0, then at t = 1.
///
/// ```
/// let q = [0., 0., 0., 1., 0., 0., 2., 0., 0., 1., 0., 0.];
/// let found = ccd::pair_intervals(ccd::Kind::PointPoint, &q, &ccd::Options::default())?;
/// assert_eq!((found.len(), found[0].enter, found[0].exit), (1, 0.5, 0.5));
/// # Ok::<(), ccd::Error>(())
/// ```
pub fn pair_intervals(kind: Kind, q: &[f64], options: &Options) -> Result<Vec<Interval>> {
    let points = match kind {
        Kind::VertexFace | Kind::EdgeEdge => 24,
        Kind::PointEdge => 18,
        Kind::PointPoint => 12,
        Kind::EdgeFace => return Err(wrong("kind is EdgeFace: such a pair meets in one frame only".into())),
    };
    if q.len() != points {
        return Err(wrong(format!("q has {} numbers, not {points}", q.len())));
    }
    let mut list = vec![blank::<abi::ccd_interval>(); 4];
    loop {
        let (mut count, room) = (0, list.len());
        let (to, options) = (list.as_mut_ptr(), &options.0);
        let status = unsafe { abi::ccd_pair_intervals(kind.number(), q.as_ptr(), options, to, room, &mut count) };
        list.resize(count, blank());
        if count <= room {
            return check(status).map(|()| list.into_iter().map(Interval::from).collect());
        }
    }
}
