use crate::{abi, check, wrong, Kind, Mesh, Motion, NeighborsReport, Options, Result, Step};
use std::ptr;

/// The pairs of a mesh that may come within a separation during a step: those whose boxes over the step overlap. They serve several calls on parts
/// of one step, as those of a line search.
///
/// ```
/// let mesh = ccd::Mesh::new(4, &[[0, 1, 2]])?;
/// let x0 = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.25, 0.25, 1.]];
/// let x1 = [x0[0], x0[1], x0[2], [0.25, 0.25, -1.]];
/// let options = ccd::Options::default();
/// let known = ccd::Candidates::new(&mesh, &x0, &x1, &options)?;
/// assert_eq!(known.step(&x0, &x1)?.earliest(&options)?.toi_lo, 0.5);
/// # Ok::<(), ccd::Error>(())
/// ```
pub struct Candidates {
    handle: *mut abi::ccd_candidates,
    vertices: usize,
}

// Every call of the library is reentrant, and a handle may be shared by threads.
unsafe impl Send for Candidates {}
unsafe impl Sync for Candidates {}

impl Drop for Candidates {
    fn drop(&mut self) {
        unsafe { abi::ccd_candidates_destroy(self.handle) };
    }
}

/// An error where positions have another number of rows than a mesh has vertices.
fn rows(n: usize, arrays: &[(&str, &[[f64; 3]])]) -> Result<()> {
    for (name, x) in arrays {
        if x.len() != n {
            return Err(wrong(format!("{name} has {} vertices, the mesh has {n}", x.len())));
        }
    }
    Ok(())
}

impl Candidates {
    /// The candidates of the step from `x0` to `x1`, for every separation up to that of `options`.
    pub fn new(mesh: &Mesh, x0: &[[f64; 3]], x1: &[[f64; 3]], options: &Options) -> Result<Candidates> {
        let n = mesh.vertices;
        rows(n, &[("x0", x0), ("x1", x1)])?;
        let mut handle = ptr::null_mut();
        let (a, b) = (x0.as_ptr().cast(), x1.as_ptr().cast());
        check(unsafe { abi::ccd_broad_candidates(mesh.handle, a, b, n, &options.0, &mut handle) })?;
        Ok(Candidates { handle, vertices: n })
    }

    /// The candidates of a step on the paths of a motion: of pairs whose boxes of all control points overlap.
    pub fn on(mesh: &Mesh, motion: &Motion, options: &Options) -> Result<Candidates> {
        let mut handle = ptr::null_mut();
        check(unsafe { abi::ccd_motion_candidates(mesh.handle, motion.handle, &options.0, &mut handle) })?;
        Ok(Candidates { handle, vertices: mesh.vertices })
    }

    /// How many pairs of a kind there are.
    pub fn count(&self, kind: Kind) -> Result<usize> {
        let mut count = 0;
        check(unsafe { abi::ccd_candidates_count_kind(self.handle, kind.number(), &mut count) })?;
        Ok(count)
    }

    /// The pairs of a kind, sorted.
    pub fn pairs(&self, kind: Kind) -> Result<Vec<[i64; 2]>> {
        let mut count = self.count(kind)?;
        let mut list = vec![[0; 2]; count];
        let to = list.as_mut_ptr().cast();
        check(unsafe { abi::ccd_candidates_copy(self.handle, kind.number(), to, list.len(), &mut count) })?;
        Ok(list)
    }

    /// The step from `x0` to `x1` whose pairs are these. Each vertex must stay within the box of its motion.
    pub fn step<'a>(&self, x0: &'a [[f64; 3]], x1: &'a [[f64; 3]]) -> Result<Step<'a>> {
        let n = self.vertices;
        rows(n, &[("x0", x0), ("x1", x1)])?;
        let (a, b) = (x0.as_ptr().cast(), x1.as_ptr().cast());
        Step::made(n, |out| unsafe { abi::ccd_step_create_candidates(self.handle, a, b, n, out) })
    }

    /// The step on the paths of a motion whose pairs are these.
    pub fn step_on(&self, motion: &Motion) -> Result<Step<'static>> {
        let n = self.vertices;
        Step::made(n, |out| unsafe { abi::ccd_step_create_candidates_motion(self.handle, motion.handle, out) })
    }
}

/// Pairs of a mesh that are near, for many calls close to the same positions. Results are those without the list.
///
/// ```
/// let mesh = ccd::Mesh::new(4, &[[0, 1, 2]])?;
/// let x0 = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.25, 0.25, 1.]];
/// let x1 = [x0[0], x0[1], x0[2], [0.25, 0.25, -1.]];
/// let options = ccd::Options::default();
/// let list = ccd::Neighbors::new(&mesh, &x0, 2.5, &options)?;
/// assert_eq!(list.step(&x0, &x1)?.earliest(&options)?.toi_lo, 0.5);
/// assert_eq!(list.report()?.served, 1);
/// # Ok::<(), ccd::Error>(())
/// ```
pub struct Neighbors {
    handle: *mut abi::ccd_neighbors,
    vertices: usize,
}

// Every call of the library is reentrant, and a handle may be shared by threads.
unsafe impl Send for Neighbors {}
unsafe impl Sync for Neighbors {}

impl Drop for Neighbors {
    fn drop(&mut self) {
        unsafe { abi::ccd_neighbors_destroy(self.handle) };
    }
}

impl Neighbors {
    /// The list of the pairs that are at most `reach` apart where the vertices are at `x`, radii subtracted.
    pub fn new(mesh: &Mesh, x: &[[f64; 3]], reach: f64, options: &Options) -> Result<Neighbors> {
        let n = mesh.vertices;
        rows(n, &[("x", x)])?;
        let mut handle = ptr::null_mut();
        check(unsafe { abi::ccd_neighbors_create(mesh.handle, x.as_ptr().cast(), n, reach, &options.0, &mut handle) })?;
        Ok(Neighbors { handle, vertices: n })
    }

    /// The step of the list's mesh from `x0` to `x1`. A separation is at most the reach.
    pub fn step<'a>(&self, x0: &'a [[f64; 3]], x1: &'a [[f64; 3]]) -> Result<Step<'a>> {
        let n = self.vertices;
        rows(n, &[("x0", x0), ("x1", x1)])?;
        let (a, b) = (x0.as_ptr().cast(), x1.as_ptr().cast());
        Step::made(n, |out| unsafe { abi::ccd_step_create_neighbors(self.handle, a, b, n, out) })
    }

    /// What the list holds, and how many calls it served.
    pub fn report(&self) -> Result<NeighborsReport> {
        let mut out: NeighborsReport = crate::blank();
        check(unsafe { abi::ccd_neighbors_state(self.handle, &mut out) })?;
        Ok(out)
    }
}
