use crate::{abi, blank, check, copied, Error, Impact, Mesh, Options, Part, Result, SizesReport};
use std::ptr;

/// A mesh with its positions, for steps in which some vertices move: a large static world with a few movers. A call costs what moves.
///
/// `moved` holds vertices in ascending order, `x1` a row for each of them; all others stay. Results have the bits of those of [`Mesh`] where the other
/// vertices are static. Other meshes may be added as parts, and removed.
///
/// ```
/// let triangle = ccd::Mesh::new(3, &[[0, 1, 2]])?;
/// let scene = ccd::Scene::new(&triangle, &[[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]])?;
/// let part = scene.add(&triangle, &[[0.2, 0.2, 1.], [1., 0.2, 1.], [0.2, 1., 1.]])?;
/// let to = [[0.2, 0.2, -1.], [1., 0.2, -1.], [0.2, 1., -1.]];
/// let (alpha, x) = scene.advance(&[3, 4, 5], &to, 0.9, &ccd::Options::default())?;
/// scene.commit_proven()?;
/// assert!(alpha < 0.5 && scene.positions()?[3] == x[0]);
/// scene.remove(part.id)?;
/// # Ok::<(), ccd::Error>(())
/// ```
pub struct Scene {
    handle: *mut abi::ccd_scene,
}

// Calls on a scene run one after the other.
unsafe impl Send for Scene {}
unsafe impl Sync for Scene {}

impl Drop for Scene {
    fn drop(&mut self) {
        unsafe { abi::ccd_scene_destroy(self.handle) };
    }
}

/// What a scene knows of the edges and faces that share a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Vertices whose state is known.
    pub known: usize,
    /// Edge-face pairs of these vertices that share a point.
    pub crossings: usize,
}

/// A step for each vertex.
#[derive(Clone)]
pub struct Sizes {
    /// The step of each vertex: of the mesh, or, of a scene, in `moved`.
    pub alpha: Vec<f64>,
    /// The positions that the steps lead to.
    pub y: Vec<[f64; 3]>,
    /// What was done.
    pub report: SizesReport,
}

fn rows(moved: &[i32], name: &str, x: &[[f64; 3]]) -> Result<usize> {
    if moved.len() == x.len() {
        return Ok(x.len());
    }
    let text = format!("{name} has {} rows: moved has {} vertices", x.len(), moved.len());
    Err(Error { status: abi::CCD_E_ARGUMENT, text })
}

impl Scene {
    /// A scene of a mesh with its vertices at `x0`. It has the filters and radii that the mesh has now.
    pub fn new(mesh: &Mesh, x0: &[[f64; 3]]) -> Result<Scene> {
        let mut handle = ptr::null_mut();
        check(unsafe { abi::ccd_scene_create(mesh.handle, x0.as_ptr().cast(), x0.len(), &mut handle) })?;
        Ok(Scene { handle })
    }

    /// Add a mesh with its vertices at `x`.
    pub fn add(&self, mesh: &Mesh, x: &[[f64; 3]]) -> Result<Part> {
        let mut out = unsafe { std::mem::zeroed() };
        check(unsafe { abi::ccd_scene_add(self.handle, mesh.handle, x.as_ptr().cast(), x.len(), &mut out) })?;
        Ok(out)
    }

    /// Remove a part, by its id; 0 is the mesh with which the scene was made.
    pub fn remove(&self, part: i64) -> Result<()> {
        check(unsafe { abi::ccd_scene_remove(self.handle, part) })
    }

    /// The parts in the order of their numbers.
    pub fn parts(&self) -> Result<Vec<Part>> {
        let mut list: Vec<Part> = Vec::new();
        loop {
            let (mut count, room) = (0, list.len());
            let status = unsafe { abi::ccd_scene_parts(self.handle, list.as_mut_ptr(), room, &mut count) };
            list.resize(count, unsafe { std::mem::zeroed() });
            if count <= room {
                return check(status).map(|()| list);
            }
        }
    }

    /// The first impact of a pair with a vertex in `moved`.
    pub fn earliest(&self, moved: &[i32], x1: &[[f64; 3]], options: &Options) -> Result<Impact> {
        let (n, mut out) = (rows(moved, "x1", x1)?, blank::<abi::ccd_impact>());
        check(unsafe { abi::ccd_scene_earliest(self.handle, moved.as_ptr(), x1.as_ptr().cast(), n, &options.0, &mut out) })?;
        Ok(out.into())
    }

    /// Every impact of a pair with a vertex in `moved`, earliest first.
    pub fn collisions(&self, moved: &[i32], x1: &[[f64; 3]], options: &Options) -> Result<Vec<Impact>> {
        let (n, mut impacts) = (rows(moved, "x1", x1)?, ptr::null_mut());
        check(unsafe {
            abi::ccd_scene_collisions(self.handle, moved.as_ptr(), x1.as_ptr().cast(), n, &options.0, &mut impacts)
        })?;
        copied(impacts)
    }

    /// A safe step of the vertices in `moved`.
    pub fn size(&self, moved: &[i32], x1: &[[f64; 3]], options: &Options) -> Result<f64> {
        let (n, mut alpha) = (rows(moved, "x1", x1)?, 0.);
        check(unsafe { abi::ccd_scene_size(self.handle, moved.as_ptr(), x1.as_ptr().cast(), n, &options.0, &mut alpha) })?;
        Ok(alpha)
    }

    /// One safe step of the vertices in `moved`, and the positions that it leads to.
    pub fn advance(&self, moved: &[i32], x1: &[[f64; 3]], share: f64, options: &Options) -> Result<(f64, Vec<[f64; 3]>)> {
        let (n, mut alpha, mut x) = (rows(moved, "x1", x1)?, 0., vec![[0.; 3]; x1.len()]);
        let (from, to, to_x) = (moved.as_ptr(), x1.as_ptr().cast(), x.as_mut_ptr().cast());
        check(unsafe { abi::ccd_scene_advance(self.handle, from, to, n, share, &options.0, &mut alpha, to_x) })?;
        Ok((alpha, x))
    }

    /// A step for each vertex in `moved`, without groups: 0.9 of the way to impacts, half the distance of what began nearer than the separation.
    pub fn sizes(&self, moved: &[i32], x1: &[[f64; 3]], options: &Options) -> Result<Sizes> {
        let n = rows(moved, "x1", x1)?;
        let mut out = Sizes { alpha: vec![0.; n], y: vec![[0.; 3]; n], report: unsafe { std::mem::zeroed() } };
        let (from, to, none) = (moved.as_ptr(), x1.as_ptr().cast(), ptr::null());
        let (alpha, y) = (out.alpha.as_mut_ptr(), out.y.as_mut_ptr().cast());
        let report = &mut out.report;
        check(unsafe { abi::ccd_scene_sizes(self.handle, from, to, n, none, 0.9, 0.5, 64, &options.0, alpha, y, report) })?;
        Ok(out)
    }

    /// Place the vertices in `moved`.
    pub fn commit(&self, moved: &[i32], x: &[[f64; 3]]) -> Result<()> {
        let n = rows(moved, "x", x)?;
        check(unsafe { abi::ccd_scene_commit(self.handle, moved.as_ptr(), x.as_ptr().cast(), n) })
    }

    /// Place the vertices where the last call proved that they may go.
    pub fn commit_proven(&self) -> Result<()> {
        check(unsafe { abi::ccd_scene_commit_proven(self.handle) })
    }

    /// Place all vertices.
    pub fn reset(&self, x: &[[f64; 3]]) -> Result<()> {
        check(unsafe { abi::ccd_scene_reset(self.handle, x.as_ptr().cast(), x.len()) })
    }

    /// The positions of all vertices; rows whose part was removed are 0.
    pub fn positions(&self) -> Result<Vec<[f64; 3]>> {
        let mut count = 0;
        check(unsafe { abi::ccd_scene_counts(self.handle, &mut count, ptr::null_mut(), ptr::null_mut()) })?;
        let mut x = vec![[0.; 3]; count];
        check(unsafe { abi::ccd_scene_positions(self.handle, x.as_mut_ptr().cast(), count) })?;
        Ok(x)
    }

    /// What is known of the edges and faces that share a point.
    pub fn state(&self) -> Result<State> {
        let mut out = State { known: 0, crossings: 0 };
        check(unsafe { abi::ccd_scene_state(self.handle, &mut out.known, &mut out.crossings) })?;
        Ok(out)
    }

    /// Make the state known.
    pub fn check(&self, options: &Options) -> Result<State> {
        check(unsafe { abi::ccd_scene_check(self.handle, &options.0) })?;
        self.state()
    }
}
