//! Continuous collision detection: at what time two parts of a moving mesh first touch, with proof.
//!
//! ```
//! let q = [0.25, 0.25, 1., 0., 0., 0., 1., 0., 0., 0., 1., 0., 0.25, 0.25, -1., 0., 0., 0., 1., 0., 0., 0., 1., 0.];
//! let hit = ccd::pair_vertex_face(&q, &ccd::Options::default())?;
//! assert_eq!((hit.verdict, hit.toi_lo), (ccd::abi::CCD_CONTACT, 0.5));
//! # Ok::<(), ccd::Error>(())
//! ```
//!
//! A small safe face of the C interface, to show that it can be made from `go run ./interface rust`: meshes, pairs, whole steps and
//! [scenes](Scene).
//! Everything else is in [`abi`].

use std::{fmt, ptr};

/// The C interface itself.
#[allow(non_camel_case_types)]
pub mod abi {
    include!(concat!(env!("OUT_DIR"), "/abi.rs"));
}

pub use abi::ccd_gradient as Gradient;
pub use abi::ccd_impact as Impact;
pub use abi::ccd_interval as Interval;
pub use abi::ccd_least_distance as LeastDistance;
pub use abi::ccd_scene_part as Part;
pub use abi::ccd_sizes_report as SizesReport;

mod scene;
pub use scene::{Scene, Sizes, State};

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

fn blank() -> Impact {
    unsafe { std::mem::zeroed() }
}

/// Copies impacts, and destroys their handle.
fn copied(impacts: *mut abi::ccd_impacts) -> Result<Vec<Impact>> {
    let mut count = 0;
    let mut list = Vec::new();
    let copied = check(unsafe { abi::ccd_impacts_count(impacts, &mut count) }).and_then(|()| {
        list.resize(count, blank());
        check(unsafe { abi::ccd_impacts_copy(impacts, list.as_mut_ptr(), count, &mut count) })
    });
    unsafe { abi::ccd_impacts_destroy(impacts) };
    copied.map(|()| list)
}

/// Vertex against face: v f0 f1 f2 at t = 0, then at t = 1.
pub fn pair_vertex_face(q: &[f64; 24], options: &Options) -> Result<Impact> {
    let mut out = blank();
    check(unsafe { abi::ccd_pair_vertex_face(q.as_ptr(), &options.0, &mut out) })?;
    Ok(out)
}

/// Topology of a surface.
pub struct Mesh {
    handle: *mut abi::ccd_mesh,
    vertices: usize,
}

// Every call of the library is reentrant, and a handle may be shared by threads.
unsafe impl Send for Mesh {}
unsafe impl Sync for Mesh {}

/// Every interval of contact of one query of a kind, CCD_VERTEX_FACE to CCD_POINT_POINT, in order.
///
/// ```
/// let q = [0., 0., 0., 1., 0., 0., 2., 0., 0., 1., 0., 0.];
/// let found = ccd::pair_intervals(ccd::abi::CCD_POINT_POINT, &q, &ccd::Options::default())?;
/// assert_eq!((found.len(), found[0].enter, found[0].exit), (1, 0.5, 0.5));
/// # Ok::<(), ccd::Error>(())
/// ```
pub fn pair_intervals(kind: i32, q: &[f64], options: &Options) -> Result<Vec<Interval>> {
    let points = [0, 24, 24, 18, 12].get(kind.max(0) as usize).copied().unwrap_or(0);
    if points != 0 && q.len() != points {
        let text = format!("q has {} numbers, not {points}", q.len());
        return Err(Error { status: abi::CCD_E_ARGUMENT, text });
    }
    let mut list = vec![unsafe { std::mem::zeroed::<Interval>() }; 4];
    loop {
        let (mut count, room) = (0, list.len());
        let status = unsafe { abi::ccd_pair_intervals(kind, q.as_ptr(), &options.0, list.as_mut_ptr(), room, &mut count) };
        list.resize(count, unsafe { std::mem::zeroed() });
        if count <= room {
            return check(status).map(|()| list);
        }
    }
}

impl Drop for Mesh {
    fn drop(&mut self) {
        unsafe { abi::ccd_mesh_destroy(self.handle) };
    }
}

impl Mesh {
    pub fn new(vertices: usize, faces: &[[i32; 3]]) -> Result<Mesh> {
        let mut handle = ptr::null_mut();
        let none = ptr::null();
        check(unsafe { abi::ccd_mesh_create(vertices, none, 0, faces.as_ptr().cast(), faces.len(), &mut handle) })?;
        Ok(Mesh { handle, vertices })
    }

    fn frames(&self, x0: &[[f64; 3]], x1: &[[f64; 3]]) -> Result<()> {
        for (name, x) in [("x0", x0), ("x1", x1)] {
            if x.len() != self.vertices {
                let text = format!("{name} has {} vertices, the mesh has {}", x.len(), self.vertices);
                return Err(Error { status: abi::CCD_E_ARGUMENT, text });
            }
        }
        Ok(())
    }

    /// Earliest impact of a step.
    pub fn earliest(&self, x0: &[[f64; 3]], x1: &[[f64; 3]], options: &Options) -> Result<Impact> {
        self.frames(x0, x1)?;
        let mut out = blank();
        let (a, b) = (x0.as_ptr().cast(), x1.as_ptr().cast());
        check(unsafe { abi::ccd_step_earliest(self.handle, a, b, self.vertices, &options.0, &mut out) })?;
        Ok(out)
    }

    /// Every interval of contact of a step, sorted by (enter, kind, a, b).
    pub fn intervals(&self, x0: &[[f64; 3]], x1: &[[f64; 3]], options: &Options) -> Result<Vec<Interval>> {
        self.frames(x0, x1)?;
        let mut intervals = ptr::null_mut();
        let (a, b) = (x0.as_ptr().cast(), x1.as_ptr().cast());
        check(unsafe { abi::ccd_step_intervals(self.handle, a, b, self.vertices, &options.0, &mut intervals) })?;
        let mut count = 0;
        let mut list = Vec::new();
        let copied = check(unsafe { abi::ccd_intervals_count(intervals, &mut count) }).and_then(|()| {
            list.resize(count, unsafe { std::mem::zeroed() });
            check(unsafe { abi::ccd_intervals_copy(intervals, list.as_mut_ptr(), count, &mut count) })
        });
        unsafe { abi::ccd_intervals_destroy(intervals) };
        copied.map(|()| list)
    }

    /// A bracket of the least distance that any pair has during a step.
    pub fn least_distance(&self, x0: &[[f64; 3]], x1: &[[f64; 3]], options: &Options) -> Result<LeastDistance> {
        self.frames(x0, x1)?;
        let mut out = unsafe { std::mem::zeroed() };
        let (a, b) = (x0.as_ptr().cast(), x1.as_ptr().cast());
        check(unsafe { abi::ccd_step_least_distance(self.handle, a, b, self.vertices, &options.0, &mut out) })?;
        Ok(out)
    }

    /// Excludes pairs that are near in the mesh and within their separation at rest; with `rings` above 0 only those within so many edges
    /// of each other. Returns the number of pairs that were not excluded before.
    pub fn exclude_near(&mut self, rest: &[[f64; 3]], rings: i32, options: &Options) -> Result<usize> {
        self.frames(rest, rest)?;
        let mut count = 0;
        check(unsafe {
            abi::ccd_mesh_exclude_near(self.handle, rest.as_ptr().cast(), self.vertices, rings, &options.0, &mut count)
        })?;
        Ok(count)
    }

    /// Every impact of a step, earliest first.
    pub fn collisions(&self, x0: &[[f64; 3]], x1: &[[f64; 3]], options: &Options) -> Result<Vec<Impact>> {
        self.frames(x0, x1)?;
        let mut impacts = ptr::null_mut();
        let (a, b) = (x0.as_ptr().cast(), x1.as_ptr().cast());
        check(unsafe { abi::ccd_step_collisions(self.handle, a, b, self.vertices, &options.0, &mut impacts) })?;
        copied(impacts)
    }

    /// The derivatives of the times of some impacts of a step.
    pub fn gradients(&self, x0: &[[f64; 3]], x1: &[[f64; 3]], impacts: &[Impact], options: &Options) -> Result<Vec<Gradient>> {
        self.frames(x0, x1)?;
        let mut out = vec![unsafe { std::mem::zeroed::<Gradient>() }; impacts.len()];
        let (a, b) = (x0.as_ptr().cast(), x1.as_ptr().cast());
        check(unsafe {
            let (given, count) = (impacts.as_ptr(), impacts.len());
            abi::ccd_step_gradients(self.handle, a, b, self.vertices, given, count, &options.0, out.as_mut_ptr())
        })?;
        Ok(out)
    }
}
