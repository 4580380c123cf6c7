use crate::{abi, check, Error, Mesh, Options, Part, Result, Step};
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
/// let (alpha, x) = scene.step(&[3, 4, 5], &to)?.advance(0.9, &ccd::Options::default())?;
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
        mesh.rows("x0", x0)?;
        let mut handle = ptr::null_mut();
        check(unsafe { abi::ccd_scene_create(mesh.handle, x0.as_ptr().cast(), x0.len(), &mut handle) })?;
        Ok(Scene { handle })
    }

    /// Add a mesh with its vertices at `x`.
    pub fn add(&self, mesh: &Mesh, x: &[[f64; 3]]) -> Result<Part> {
        mesh.rows("x", x)?;
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

    /// The step on which vertex `moved[i]` goes from where it is when a call begins to row i of `x1`, and all others rest. Arrays of its calls
    /// have a row for each vertex in `moved`.
    pub fn step<'a>(&self, moved: &'a [i32], x1: &'a [[f64; 3]]) -> Result<Step<'a>> {
        let n = rows(moved, "x1", x1)?;
        Step::made(n, |out| unsafe { abi::ccd_step_create_scene(self.handle, moved.as_ptr(), x1.as_ptr().cast(), n, out) })
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
