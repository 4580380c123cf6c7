use crate::{
    abi, blank, check, copied, wrong, Constraint, Gradient, Impact, Interval, Kind, Clearance, LineSearchBound, Options,
    Result, SizesReport, Why,
};
use std::{
    any::Any,
    ffi::c_void,
    marker::PhantomData,
    panic::{catch_unwind, resume_unwind, AssertUnwindSafe},
    ptr, slice,
};

/// A step as a value: what moves, and which pairs count. It is made by [`Mesh::step`](crate::Mesh::step) and
/// [`step_on`](crate::Mesh::step_on), by the same of [`Candidates`](crate::Candidates), by [`Neighbors::step`](crate::Neighbors::step) and by
/// [`Scene::step`](crate::Scene::step); its methods are the calls.
///
/// A step borrows the arrays of positions and holds all else that it is made of. Threads may share it. A call that a step does not have is
/// `CCD_E_UNSUPPORTED`, with the reason.
///
/// ```
/// let mesh = ccd::Mesh::new(4, &[[0, 1, 2]])?;
/// let x0 = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.25, 0.25, 1.]];
/// let x1 = [x0[0], x0[1], x0[2], [0.25, 0.25, -1.]];
/// let step = mesh.step(&x0, &x1)?;
/// let set = step.active_set(&ccd::Options::default())?;
/// assert_eq!((set.len(), set[0].vertices, set[0].gap), (1, [3, 0, 1, 2], -1.));
/// # Ok::<(), ccd::Error>(())
/// ```
pub struct Step<'a> {
    handle: *mut abi::ccd_step,
    rows: usize, // vertices of the mesh, or of a scene those that move
    arrays: PhantomData<&'a [f64]>,
}

// Every call of the library is reentrant, and a handle may be shared by threads.
unsafe impl Send for Step<'_> {}
unsafe impl Sync for Step<'_> {}

impl Drop for Step<'_> {
    fn drop(&mut self) {
        unsafe { abi::ccd_step_destroy(self.handle) };
    }
}

/// Some primitives of a mesh, by their numbers: an object, or the part of one that is to be tested.
#[derive(Clone, Copy, Default)]
pub struct Group<'g> {
    /// Numbers of vertices.
    pub vertices: &'g [i32],
    /// Numbers of edges.
    pub edges: &'g [i32],
    /// Numbers of faces.
    pub faces: &'g [i32],
}

impl Group<'_> {
    fn of_c(&self) -> abi::ccd_group {
        let (v, e, f) = (self.vertices, self.edges, self.faces);
        abi::ccd_group {
            vertices: v.as_ptr(),
            vertex_count: v.len(),
            edges: e.as_ptr(),
            edge_count: e.len(),
            faces: f.as_ptr(),
            face_count: f.len(),
        }
    }
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

impl<'a> Step<'a> {
    /// The step that `create` makes, whose arrays have so many rows.
    pub(crate) fn made(rows: usize, create: impl FnOnce(*mut *mut abi::ccd_step) -> abi::ccd_status) -> Result<Step<'a>> {
        let mut handle = ptr::null_mut();
        check(create(&mut handle))?;
        Ok(Step { handle, rows, arrays: PhantomData })
    }

    /// The step with those of its pairs alone of which one primitive is in group `a` and the other in group `b`: one object against another, or
    /// vertices against faces one way.
    ///
    /// # Errors
    /// `CCD_E_INDEX` for a number that is out of range, repeated or in both groups, `CCD_E_UNSUPPORTED` for a step of a scene, of a neighbor list
    /// or between groups.
    pub fn between(&self, a: &Group, b: &Group) -> Result<Step<'a>> {
        let (a, b) = (a.of_c(), b.of_c());
        Step::made(self.rows, |out| unsafe { abi::ccd_step_create_between(self.handle, &a, &b, out) })
    }

    /// The first impact.
    pub fn earliest(&self, options: &Options) -> Result<Impact> {
        let mut out: abi::ccd_impact = blank();
        check(unsafe { abi::ccd_step_run_earliest(self.handle, &options.0, &mut out) })?;
        Ok(out.into())
    }

    /// Every impact, earliest first.
    pub fn collisions(&self, options: &Options) -> Result<Vec<Impact>> {
        let mut impacts = ptr::null_mut();
        check(unsafe { abi::ccd_step_run_collisions(self.handle, &options.0, &mut impacts) })?;
        copied(impacts)
    }

    /// The first `count` impacts of `collisions`, or all of them if there are no more; `count` is at least 1. What comes later is left out:
    /// memory grows with `count`, and where impacts come early the call takes little more time than `earliest`.
    pub fn first_impacts(&self, count: usize, options: &Options) -> Result<Vec<Impact>> {
        let mut impacts = ptr::null_mut();
        check(unsafe { abi::ccd_step_run_first_impacts(self.handle, count, &options.0, &mut impacts) })?;
        copied(impacts)
    }

    /// Pass every impact to `visit`, some at a time and in no particular order, and store none. Where `visit` returns true, the call ends with
    /// `CCD_E_CANCELLED`. It may run on any thread, but never twice at once; a panic in it ends the call, and goes on where the call returns.
    ///
    /// ```
    /// let mesh = ccd::Mesh::new(4, &[[0, 1, 2]])?;
    /// let x0 = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.25, 0.25, 1.]];
    /// let x1 = [x0[0], x0[1], x0[2], [0.25, 0.25, -1.]];
    /// let mut count = 0;
    /// mesh.step(&x0, &x1)?.visit(&ccd::Options::default(), |some| {
    ///     count += some.len();
    ///     false
    /// })?;
    /// assert_eq!(count, 1);
    /// # Ok::<(), ccd::Error>(())
    /// ```
    pub fn visit<F: FnMut(&[Impact]) -> bool + Send>(&self, options: &Options, visit: F) -> Result<()> {
        struct State<F> {
            visit: F,
            panic: Option<Box<dyn Any + Send>>,
        }
        unsafe extern "C" fn pass<F: FnMut(&[Impact]) -> bool>(
            impacts: *const abi::ccd_impact,
            count: usize,
            user: *mut c_void,
        ) -> i32 {
            let state = &mut *user.cast::<State<F>>();
            let some: Vec<Impact> = slice::from_raw_parts(impacts, count).iter().copied().map(Impact::from).collect();
            match catch_unwind(AssertUnwindSafe(|| (state.visit)(&some))) {
                Ok(stop) => i32::from(stop),
                Err(panic) => {
                    state.panic = Some(panic);
                    1
                }
            }
        }
        let mut state = State { visit, panic: None };
        let user = (&mut state as *mut State<F>).cast();
        let status = unsafe { abi::ccd_step_run_visit(self.handle, &options.0, Some(pass::<F>), user) };
        let result = check(status);
        if let Some(panic) = state.panic {
            resume_unwind(panic);
        }
        result
    }

    /// The impacts of given pairs (a, b) of one kind, in their order, whether or not they are near.
    ///
    /// # Errors
    /// `CCD_E_INDEX` names a pair that is out of range.
    pub fn pairs(&self, kind: Kind, pairs: &[[i64; 2]], options: &Options) -> Result<Vec<Impact>> {
        let mut out = vec![blank::<abi::ccd_impact>(); pairs.len()];
        let (p, count, to) = (pairs.as_ptr().cast(), pairs.len(), out.as_mut_ptr());
        check(unsafe { abi::ccd_step_run_pairs(self.handle, kind.number(), p, count, &options.0, to) })?;
        Ok(out.into_iter().map(Impact::from).collect())
    }

    /// Every interval of contact, sorted by (enter, kind, a, b).
    pub fn intervals(&self, options: &Options) -> Result<Vec<Interval>> {
        let mut intervals = ptr::null_mut();
        check(unsafe { abi::ccd_step_run_intervals(self.handle, &options.0, &mut intervals) })?;
        copied_intervals(intervals)
    }

    /// Every interval of contact of given pairs of one kind, pair by pair.
    pub fn pairs_intervals(&self, kind: Kind, pairs: &[[i64; 2]], options: &Options) -> Result<Vec<Interval>> {
        let mut intervals = ptr::null_mut();
        let (p, count) = (pairs.as_ptr().cast(), pairs.len());
        check(unsafe { abi::ccd_step_run_pairs_intervals(self.handle, kind.number(), p, count, &options.0, &mut intervals) })?;
        copied_intervals(intervals)
    }

    /// A bracket of the least distance that any pair has.
    pub fn clearance(&self, options: &Options) -> Result<Clearance> {
        let mut out: abi::ccd_clearance = blank();
        check(unsafe { abi::ccd_step_run_clearance(self.handle, &options.0, &mut out) })?;
        Ok(out.into())
    }

    /// A step that is safe for all vertices: the part of the way without contact.
    pub fn size(&self, options: &Options) -> Result<f64> {
        let mut alpha = 0.;
        check(unsafe { abi::ccd_step_run_size(self.handle, &options.0, &mut alpha) })?;
        Ok(alpha)
    }

    /// One safe step of all vertices, `share` of the way to the first contact, and the positions that it leads to, which are proven.
    pub fn advance(&self, share: f64, options: &Options) -> Result<(f64, Vec<[f64; 3]>)> {
        let (mut alpha, mut x) = (0., vec![[0.; 3]; self.rows]);
        let to = x.as_mut_ptr().cast();
        check(unsafe { abi::ccd_step_run_advance(self.handle, share, &options.0, &mut alpha, to, self.rows) })?;
        Ok((alpha, x))
    }

    /// A step for each vertex, and the positions that they lead to: 0.9 of the way to impacts, half the distance of what began nearer than the
    /// separation. Vertices of one of the `groups` share a step; without groups each has its own.
    pub fn sizes(&self, groups: Option<&[i32]>, options: &Options) -> Result<Sizes> {
        let n = self.rows;
        if let Some(given) = groups.filter(|g| g.len() != n) {
            return Err(wrong(format!("groups has {} items, the step moves {n} vertices", given.len())));
        }
        let mut out = Sizes { alpha: vec![0.; n], y: vec![[0.; 3]; n], report: blank() };
        let of = groups.map_or(ptr::null(), <[i32]>::as_ptr);
        let (alpha, y) = (out.alpha.as_mut_ptr(), out.y.as_mut_ptr().cast());
        let report = &mut out.report;
        check(unsafe { abi::ccd_step_run_sizes(self.handle, of, 0.9, 0.5, 64, &options.0, alpha, y, n, report) })?;
        Ok(out)
    }

    /// Bound the steps of a line search so that every pair keeps the part `keep_ratio`, in (0, 1), of its distance. The separation of `options` must be
    /// positive: it is a search radius.
    pub fn linesearch(&self, keep_ratio: f64, options: &Options) -> Result<LineSearchBound> {
        let mut out: LineSearchBound = blank();
        check(unsafe { abi::ccd_step_run_linesearch(self.handle, keep_ratio, &options.0, &mut out) })?;
        Ok(out)
    }

    /// What a solver needs of the impacts: a constraint for each pair in contact.
    pub fn active_set(&self, options: &Options) -> Result<Vec<Constraint>> {
        let mut constraints = ptr::null_mut();
        check(unsafe { abi::ccd_step_run_activeset(self.handle, &options.0, &mut constraints) })?;
        let mut count = 0;
        let mut list: Vec<abi::ccd_constraint> = Vec::new();
        let copied = check(unsafe { abi::ccd_constraints_count(constraints, &mut count) }).and_then(|()| {
            list.resize(count, blank());
            check(unsafe { abi::ccd_constraints_copy(constraints, list.as_mut_ptr(), count, &mut count) })
        });
        unsafe { abi::ccd_constraints_destroy(constraints) };
        copied.map(|()| list.into_iter().map(Constraint::from).collect())
    }

    /// Say why the step is short: which pair limits it, the reason, and what to do. A step of a scene does not support it.
    ///
    /// ```
    /// let mesh = ccd::Mesh::new(4, &[[0, 1, 2]])?;
    /// let x0 = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.25, 0.25, 0.125]];
    /// let why = mesh.step(&x0, &x0)?.why(&ccd::Options::default().min_separation(0.5))?;
    /// assert_eq!((why.cause, why.alpha, why.vertices.as_slice()), (ccd::Cause::Separation, 0., &[3, 0, 1, 2][..]));
    /// assert!(why.to_string().starts_with("Vertex 3 and face 0 (vertices 0, 1, 2) are 0.125 apart at the start"));
    /// # Ok::<(), ccd::Error>(())
    /// ```
    pub fn why(&self, options: &Options) -> Result<Why> {
        let mut out: abi::ccd_why = blank();
        check(unsafe { abi::ccd_step_run_why(self.handle, &options.0, &mut out) })?;
        Why::of(&out)
    }

    /// The derivatives of the times of some impacts of the step.
    pub fn gradients(&self, impacts: &[Impact], options: &Options) -> Result<Vec<Gradient>> {
        let given: Vec<abi::ccd_impact> = impacts.iter().copied().map(Into::into).collect();
        let mut out = vec![blank::<abi::ccd_gradient>(); given.len()];
        let (from, count) = (given.as_ptr(), given.len());
        check(unsafe { abi::ccd_step_run_gradients(self.handle, from, count, &options.0, out.as_mut_ptr()) })?;
        Ok(out.into_iter().map(Gradient::from).collect())
    }
}

/// Copies intervals, and destroys their handle.
fn copied_intervals(intervals: *mut abi::ccd_intervals) -> Result<Vec<Interval>> {
    let mut count = 0;
    let mut list: Vec<abi::ccd_interval> = Vec::new();
    let copied = check(unsafe { abi::ccd_intervals_count(intervals, &mut count) }).and_then(|()| {
        list.resize(count, blank());
        check(unsafe { abi::ccd_intervals_copy(intervals, list.as_mut_ptr(), count, &mut count) })
    });
    unsafe { abi::ccd_intervals_destroy(intervals) };
    copied.map(|()| list.into_iter().map(Interval::from).collect())
}
