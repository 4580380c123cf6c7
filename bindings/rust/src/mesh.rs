use crate::{abi, blank, check, copied, wrong, Impact, Motion, Options, Result, Step};
use std::{collections::HashSet, ptr};

/// The topology of a surface, for steps in which its vertices move from `x0` to `x1` on straight lines.
///
/// ```
/// let mesh = ccd::Mesh::new(6, &[[0, 1, 2], [3, 4, 5]])?; // 6 vertices; the edges are those of the faces
/// let x0 = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.2, 0.2, 1.], [0.3, 0.2, 2.], [0.2, 0.3, 2.]];
/// let x1 = x0.map(|[x, y, z]| [x, y, if z > 0. { z - 2. } else { z }]);
/// let hit = mesh.earliest(&x0, &x1, &ccd::Options::default())?;
/// assert_eq!((hit.verdict, hit.kind, hit.a, hit.b), (ccd::Verdict::Contact, Some(ccd::Kind::VertexFace), 3, 0));
/// # Ok::<(), ccd::Error>(())
/// ```
pub struct Mesh {
    pub(crate) handle: *mut abi::ccd_mesh,
    pub(crate) vertices: usize,
}

// Every call of the library is reentrant, and a handle may be shared by threads.
unsafe impl Send for Mesh {}
unsafe impl Sync for Mesh {}

impl Drop for Mesh {
    fn drop(&mut self) {
        unsafe { abi::ccd_mesh_destroy(self.handle) };
    }
}

impl Mesh {
    /// Create a mesh of triangles.
    ///
    /// `vertices` is how many there are, those included that no face uses: positions have as many rows. `faces` holds indices of vertices, 0 to
    /// `vertices - 1`; the edges of the faces are the edges of the mesh. Both are copied.
    ///
    /// # Errors
    /// `CCD_E_INDEX` where an index is out of range or a face names a vertex twice, `CCD_E_ARGUMENT` where a face is given twice; the text names it.
    pub fn new(vertices: usize, faces: &[[i32; 3]]) -> Result<Mesh> {
        Mesh::with_edges(vertices, &[], faces)
    }

    /// Create a mesh with edges of its own, as those of rods, after the edges of its faces. Vertices without an edge are points.
    ///
    /// # Errors
    /// As [`Mesh::new`].
    pub fn with_edges(vertices: usize, edges: &[[i32; 2]], faces: &[[i32; 3]]) -> Result<Mesh> {
        let surface = Mesh::create(vertices, None, faces)?;
        if edges.is_empty() {
            return Ok(surface);
        }
        let mut all = surface.edges()?;
        let known: HashSet<[i32; 2]> = all.iter().flat_map(|&[a, b]| [[a, b], [b, a]]).collect();
        all.extend(edges.iter().filter(|edge| !known.contains(*edge)));
        Mesh::create(vertices, Some(&all), faces)
    }

    fn create(vertices: usize, edges: Option<&[[i32; 2]]>, faces: &[[i32; 3]]) -> Result<Mesh> {
        let mut handle = ptr::null_mut();
        let of_edges = edges.map_or(ptr::null(), |e| e.as_ptr().cast()); // null: those of the faces
        let (count, of_faces) = (edges.map_or(0, <[_]>::len), faces.as_ptr().cast());
        check(unsafe { abi::ccd_mesh_create(vertices, of_edges, count, of_faces, faces.len(), &mut handle) })?;
        Ok(Mesh { handle, vertices })
    }

    /// The edges: those of the faces first, in the order of the numbers that results have.
    pub fn edges(&self) -> Result<Vec<[i32; 2]>> {
        let mut count = 0;
        check(unsafe { abi::ccd_mesh_counts(self.handle, ptr::null_mut(), &mut count, ptr::null_mut()) })?;
        let mut list = vec![[0; 2]; count];
        check(unsafe { abi::ccd_mesh_edges(self.handle, list.as_mut_ptr().cast(), count, &mut count) })?;
        Ok(list)
    }

    pub(crate) fn frames(&self, x0: &[[f64; 3]], x1: &[[f64; 3]]) -> Result<()> {
        self.rows("x0", x0)?;
        self.rows("x1", x1)
    }

    /// Checks that an argument has a row for each vertex.
    pub(crate) fn rows(&self, name: &str, x: &[[f64; 3]]) -> Result<()> {
        if x.len() != self.vertices {
            return Err(wrong(format!("{name} has {} vertices, the mesh has {}", x.len(), self.vertices)));
        }
        Ok(())
    }

    /// The step from `x0` to `x1`, whose methods are all calls. Those of the mesh are its first four, in one line.
    pub fn step<'a>(&self, x0: &'a [[f64; 3]], x1: &'a [[f64; 3]]) -> Result<Step<'a>> {
        self.frames(x0, x1)?;
        let (a, b, n) = (x0.as_ptr().cast(), x1.as_ptr().cast(), self.vertices);
        Step::made(n, |out| unsafe { abi::ccd_step_create(self.handle, a, b, n, out) })
    }

    /// The step on the paths of a motion, in place of `x0` and `x1`.
    ///
    /// # Errors
    /// `CCD_E_ARGUMENT` if the motion has another number of vertices.
    pub fn step_on(&self, motion: &Motion) -> Result<Step<'static>> {
        let n = self.vertices;
        Step::made(n, |out| unsafe { abi::ccd_step_create_motion(self.handle, motion.handle, out) })
    }

    /// Earliest impact of each of several worlds: of this mesh at other positions, those of one world after the other. Each has the bits of
    /// [`Mesh::earliest`].
    pub fn earliest_batch(&self, x0: &[[f64; 3]], x1: &[[f64; 3]], options: &Options) -> Result<Vec<Impact>> {
        let n = self.vertices;
        let mut out = vec![blank::<abi::ccd_impact>(); self.worlds(x0, x1)?];
        let (a, b, to) = (x0.as_ptr().cast(), x1.as_ptr().cast(), out.as_mut_ptr());
        check(unsafe { abi::ccd_step_earliest_batch(self.handle, a, b, n, out.len(), &options.0, to) })?;
        Ok(out.into_iter().map(Impact::from).collect())
    }

    /// The number of worlds that have so many rows.
    fn worlds(&self, x0: &[[f64; 3]], x1: &[[f64; 3]]) -> Result<usize> {
        let (n, a, b) = (self.vertices, x0.len(), x1.len());
        if a != b || n == 0 || a % n != 0 {
            return Err(wrong(format!(
                "x0 has {a} rows, x1 has {b}: must be equal, and a multiple of the mesh's vertices, {n}"
            )));
        }
        Ok(a / n)
    }

    /// One safe step of each of several worlds, `share` of the way to its first contact: the steps, and the positions that they lead to,
    /// which are proven. Both have the bits of [`Mesh::advance`] for each.
    ///
    /// ```
    /// let mesh = ccd::Mesh::new(4, &[[0, 1, 2]])?;
    /// let x0 = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.25, 0.25, 1.]];
    /// let x1 = [x0[0], x0[1], x0[2], [0.25, 0.25, -1.]];
    /// let (alphas, x) = mesh.advance_batch(&[x0, x0].concat(), &[x0, x1].concat(), 0.9, &ccd::Options::default())?;
    /// assert!(alphas[0] == 0.9 && (alphas[1] - 0.45).abs() < 1e-9 && x[7][2] > 0.);
    /// # Ok::<(), ccd::Error>(())
    /// ```
    #[allow(clippy::type_complexity)] // the results of `advance`, in arrays
    pub fn advance_batch(
        &self,
        x0: &[[f64; 3]],
        x1: &[[f64; 3]],
        share: f64,
        options: &Options,
    ) -> Result<(Vec<f64>, Vec<[f64; 3]>)> {
        let (n, count) = (self.vertices, self.worlds(x0, x1)?);
        let (mut alphas, mut x) = (vec![0.; count], vec![[0.; 3]; x0.len()]);
        let (a, b, to) = (x0.as_ptr().cast(), x1.as_ptr().cast(), x.as_mut_ptr().cast());
        let (alpha, none) = (alphas.as_mut_ptr(), std::ptr::null_mut());
        check(unsafe {
            abi::ccd_step_advance_batch(self.handle, a, b, n, count, share, &options.0, alpha, to, none)
        })?;
        Ok((alphas, x))
    }

    /// Earliest impact of a step.
    pub fn earliest(&self, x0: &[[f64; 3]], x1: &[[f64; 3]], options: &Options) -> Result<Impact> {
        self.frames(x0, x1)?;
        let mut out: abi::ccd_impact = blank();
        let (a, b) = (x0.as_ptr().cast(), x1.as_ptr().cast());
        check(unsafe { abi::ccd_step_earliest(self.handle, a, b, self.vertices, &options.0, &mut out) })?;
        Ok(out.into())
    }

    /// Give each vertex a radius: a vertex becomes a ball, an edge a capsule, a face a slab. None removes them.
    ///
    /// # Errors
    /// `CCD_E_ARGUMENT` or `CCD_E_NONFINITE` names a radius that is negative, too large or not finite.
    pub fn set_radii(&mut self, radii: Option<&[f64]>) -> Result<()> {
        let (at, count) = self.per_vertex("radii", radii)?;
        check(unsafe { abi::ccd_mesh_set_radii(self.handle, at, count) })
    }

    /// Give each vertex a collision group: two vertices of one group never collide, one of a negative group may collide with every vertex. So a
    /// group of its own is for an obstacle whose motion is given, with -1 for all others. None removes the groups.
    pub fn set_groups(&mut self, groups: Option<&[i32]>) -> Result<()> {
        let (at, count) = self.per_vertex("groups", groups)?;
        check(unsafe { abi::ccd_mesh_set_groups(self.handle, at, count) })
    }

    /// Give each connected component a group of its own: no component collides with itself.
    pub fn set_component_groups(&mut self) -> Result<()> {
        check(unsafe { abi::ccd_mesh_set_component_groups(self.handle) })
    }

    /// Mark the vertices that rest in all steps: pairs whose vertices are all static are skipped. None removes the marks.
    pub fn set_static(&mut self, is_static: Option<&[bool]>) -> Result<()> {
        let (at, count) = self.per_vertex("is_static", is_static)?;
        let bytes = at.cast(); // a bool is a byte, 0 or 1
        check(unsafe { abi::ccd_mesh_set_static(self.handle, bytes, count) })
    }

    /// Pointer and number of items of an argument that has one for each vertex, or null.
    fn per_vertex<T>(&self, name: &str, items: Option<&[T]>) -> Result<(*const T, usize)> {
        let (at, count) = items.map_or((ptr::null(), self.vertices), |list| (list.as_ptr(), list.len()));
        if count != self.vertices {
            return Err(wrong(format!(
                "{name} has {count} items: must have one for each of the mesh's {} vertices",
                self.vertices
            )));
        }
        Ok((at, count))
    }

    /// Excludes pairs that are near in the mesh and within their separation at rest; with `rings` above 0 only those within so many edges
    /// of each other. Returns the number of pairs that were not excluded before.
    pub fn exclude_near(&mut self, rest: &[[f64; 3]], rings: i32, options: &Options) -> Result<usize> {
        self.rows("rest", rest)?;
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

    /// A step that is safe for all vertices: the part of the way from `x0` to `x1` without contact.
    pub fn size(&self, x0: &[[f64; 3]], x1: &[[f64; 3]], options: &Options) -> Result<f64> {
        self.frames(x0, x1)?;
        let (a, b, mut alpha) = (x0.as_ptr().cast(), x1.as_ptr().cast(), 0.);
        check(unsafe { abi::ccd_step_size(self.handle, a, b, self.vertices, &options.0, &mut alpha) })?;
        Ok(alpha)
    }

    /// One safe step of all vertices, `share` of the way to the first contact, and the positions that it leads to, which are proven.
    ///
    /// ```
    /// let mesh = ccd::Mesh::new(4, &[[0, 1, 2]])?;
    /// let x0 = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.25, 0.25, 1.]];
    /// let x1 = [x0[0], x0[1], x0[2], [0.25, 0.25, -1.]];
    /// let (alpha, x) = mesh.advance(&x0, &x1, 0.9, &ccd::Options::default())?;
    /// assert!((alpha - 0.45).abs() < 1e-9 && x[3][2] > 0.);
    /// # Ok::<(), ccd::Error>(())
    /// ```
    pub fn advance(&self, x0: &[[f64; 3]], x1: &[[f64; 3]], share: f64, options: &Options) -> Result<(f64, Vec<[f64; 3]>)> {
        self.frames(x0, x1)?;
        let (a, b, n) = (x0.as_ptr().cast(), x1.as_ptr().cast(), self.vertices);
        let (mut alpha, mut x) = (0., vec![[0.; 3]; n]);
        let to = x.as_mut_ptr().cast();
        check(unsafe { abi::ccd_step_advance(self.handle, a, b, n, share, &options.0, &mut alpha, to) })?;
        Ok((alpha, x))
    }
}
