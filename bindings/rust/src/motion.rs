use crate::{abi, check, wrong, Result, RigidMotion};
use std::ptr;

/// Paths of vertices for t in [0, 1]: polynomials of degree 1 to 5 in t, in one or several pieces, each vertex within a radius of its own.
///
/// [`Mesh::step_on`](crate::Mesh::step_on) makes a step of it. Lists of points have a row for each vertex, and one block of all vertices after the
/// other. Control points are those of Bernstein's basis.
///
/// ```
/// let mesh = ccd::Mesh::new(4, &[[0, 1, 2]])?;
/// let x = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.25, 0.25, 1.]];
/// let (v, mut a) = ([[0.; 3]; 4], [[0.; 3]; 4]);
/// a[3][2] = -8.;
/// let motion = ccd::Motion::accelerated(&x, &v, &a)?; // the point falls: 1 - 4 t^2
/// let hit = mesh.step_on(&motion)?.earliest(&ccd::Options::default())?;
/// assert!((hit.toi_lo - 0.5).abs() < 1e-9);
/// # Ok::<(), ccd::Error>(())
/// ```
pub struct Motion {
    pub(crate) handle: *mut abi::ccd_motion,
    pub(crate) vertices: usize,
}

// Every call of the library is reentrant, and a handle may be shared by threads.
unsafe impl Send for Motion {}
unsafe impl Sync for Motion {}

impl Drop for Motion {
    fn drop(&mut self) {
        unsafe { abi::ccd_motion_destroy(self.handle) };
    }
}

/// The motion that `create` makes.
fn made(vertices: usize, create: impl FnOnce(*mut *mut abi::ccd_motion) -> abi::ccd_status) -> Result<Motion> {
    let mut handle = ptr::null_mut();
    check(create(&mut handle))?;
    Ok(Motion { handle, vertices })
}

/// An error where an array has another number of items than it must.
fn sized(name: &str, items: usize, want: usize) -> Result<()> {
    if items == want {
        return Ok(());
    }
    Err(wrong(format!("{name} has {items} items: must have {want}")))
}

/// The ends of the pieces, and how many there are: without them one.
fn ends(times: Option<&[f64]>) -> Result<(*const f64, usize)> {
    match times {
        None => Ok((ptr::null(), 1)),
        Some(t) if t.len() < 2 => Err(wrong(format!("times has {} items: the ends of pieces are at least 2", t.len()))),
        Some(t) => Ok((t.as_ptr(), t.len() - 1)),
    }
}

impl Motion {
    /// A motion of control points: `degree + 1` blocks for each piece. `times` are the ends of the pieces, from 0 to 1; None is one piece. `radius` has a
    /// length for each vertex of each piece; None is 0.
    ///
    /// # Errors
    /// `CCD_E_ARGUMENT` for another number of items, or pieces that do not meet; `CCD_E_NONFINITE`.
    pub fn new(
        vertices: usize,
        degree: i32,
        times: Option<&[f64]>,
        control: &[[f64; 3]],
        radius: Option<&[f64]>,
    ) -> Result<Motion> {
        let (t, pieces) = ends(times)?;
        let points = usize::try_from(degree).unwrap_or(0) + 1;
        sized("control", control.len(), pieces.saturating_mul(points).saturating_mul(vertices))?;
        if let Some(r) = radius {
            sized("radius", r.len(), pieces.saturating_mul(vertices))?;
        }
        let (c, r) = (control.as_ptr().cast(), radius.map_or(ptr::null(), <[f64]>::as_ptr));
        made(vertices, |out| unsafe { abi::ccd_motion_create(vertices, degree, pieces, t, c, r, out) })
    }

    /// Constant acceleration: x + t v + t^2 a / 2, with v and a of the whole step.
    pub fn accelerated(x: &[[f64; 3]], v: &[[f64; 3]], a: &[[f64; 3]]) -> Result<Motion> {
        sized("v", v.len(), x.len())?;
        sized("a", a.len(), x.len())?;
        let (n, x, v, a) = (x.len(), x.as_ptr().cast(), v.as_ptr().cast(), a.as_ptr().cast());
        made(n, |out| unsafe { abi::ccd_motion_accelerated(n, x, v, a, out) })
    }

    /// Through positions with velocities, a block of each for each of the `times`; None is 0 and 1.
    pub fn hermite(vertices: usize, times: Option<&[f64]>, x: &[[f64; 3]], v: &[[f64; 3]]) -> Result<Motion> {
        let (t, pieces) = ends(times)?;
        sized("x", x.len(), (pieces + 1).saturating_mul(vertices))?;
        sized("v", v.len(), x.len())?;
        let (x, v) = (x.as_ptr().cast(), v.as_ptr().cast());
        made(vertices, |out| unsafe { abi::ccd_motion_hermite(vertices, pieces, t, x, v, out) })
    }

    /// B-splines in time, on ascending knots; `control` has `knots.len() - degree - 1` blocks.
    pub fn bspline(vertices: usize, degree: i32, knots: &[f64], control: &[[f64; 3]]) -> Result<Motion> {
        let blocks = knots.len().saturating_sub(usize::try_from(degree).unwrap_or(0) + 1);
        sized("control", control.len(), blocks.saturating_mul(vertices))?;
        let (k, c) = (knots.as_ptr(), control.as_ptr().cast());
        made(vertices, |out| unsafe { abi::ccd_motion_bspline(vertices, degree, k, knots.len(), c, out) })
    }

    /// An affine body: the point x_i is at A(t) x_i + b(t). `matrix` has the control points of A, by rows, and `offset` as many of b: the degree and 1.
    pub fn affine(x: &[[f64; 3]], matrix: &[[[f64; 3]; 3]], offset: &[[f64; 3]]) -> Result<Motion> {
        sized("offset", offset.len(), matrix.len())?;
        let degree = i32::try_from(matrix.len()).unwrap_or(i32::MAX) - 1;
        let (n, x, m, o) = (x.len(), x.as_ptr().cast(), matrix.as_ptr().cast(), offset.as_ptr().cast());
        made(n, |out| unsafe { abi::ccd_motion_affine(n, degree, x, m, o, out) })
    }

    /// A rigid body whose points are x in its own coordinates. `degree` is 3, 5 or 0 for 3, `pieces` how many there are, 0 for one a radian of turn.
    pub fn rigid(x: &[[f64; 3]], body: &RigidMotion, degree: i32, pieces: usize) -> Result<Motion> {
        let (n, x) = (x.len(), x.as_ptr().cast());
        made(n, |out| unsafe { abi::ccd_motion_rigid(n, x, body, degree, pieces, out) })
    }

    /// Linear blend skinning: `weights` has a number for each bone, point after point. Otherwise as [`Motion::rigid`].
    pub fn skinned(x: &[[f64; 3]], bones: &[RigidMotion], weights: &[f64], degree: i32, pieces: usize) -> Result<Motion> {
        sized("weights", weights.len(), x.len().saturating_mul(bones.len()))?;
        let (n, count, x, b, w) = (x.len(), bones.len(), x.as_ptr().cast(), bones.as_ptr(), weights.as_ptr());
        made(n, |out| unsafe { abi::ccd_motion_skinned(n, x, b, count, w, degree, pieces, out) })
    }

    /// The positions at a time in [0, 1], rounded, and bounds on the distance of each vertex from its position.
    pub fn at(&self, t: f64) -> Result<(Vec<[f64; 3]>, Vec<f64>)> {
        let n = self.vertices;
        let (mut x, mut radius) = (vec![[0.; 3]; n], vec![0.; n]);
        check(unsafe { abi::ccd_motion_at(self.handle, t, x.as_mut_ptr().cast(), radius.as_mut_ptr(), n) })?;
        Ok((x, radius))
    }

    /// The motion on which vertex i goes along its path up to the time `ends[i]`: where the steps of [`Step::sizes`](crate::Step::sizes) lead. It needs
    /// one piece.
    pub fn cut(&self, ends: &[f64]) -> Result<Motion> {
        sized("ends", ends.len(), self.vertices)?;
        made(self.vertices, |out| unsafe { abi::ccd_motion_cut(self.handle, ends.as_ptr(), ends.len(), out) })
    }
}
