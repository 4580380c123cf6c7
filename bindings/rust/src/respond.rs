use crate::{abi, blank, check, wrong, Mesh, Options, Result, Why};
use std::ptr;

/// How [`Mesh::respond`] treats contact.
#[derive(Clone, Debug, PartialEq)]
pub struct RespondOptions {
    /// Inverse masses of the vertices, 0 for one that contact does not move; None stands for 1. Contact moves no static vertex.
    pub inverse_mass: Option<Vec<f64>>,
    /// The coefficient of Coulomb friction, in `[0, 1e6]`.
    pub friction: f64,
    /// The part of the separation that the step keeps, in `[0, 1)`; the rest is room for the next step to begin with.
    pub keep: f64,
    /// Times that constraints are found, and treated once each, 1 to 1000.
    pub max_rounds: i64,
}

impl Default for RespondOptions {
    fn default() -> Self {
        RespondOptions { inverse_mass: None, friction: 0., keep: 0.25, max_rounds: 4 }
    }
}

/// Positions after contact, and how they came about.
#[derive(Clone, Debug)]
pub struct Responded {
    /// The positions; the straight way from `x0` to just these doubles is proven.
    pub x: Vec<[f64; 3]>,
    /// The part of the way to the ends of the response that was safe; 1 if all of it.
    pub alpha: f64,
    /// Constraints of the first round.
    pub contacts: i64,
    /// Rounds of the response; less than `max_rounds` if no pair was left that comes too near.
    pub rounds: i64,
    /// What limits the way to the ends of the response, as [`Step::why`](crate::Step::why) has it; it prints as sentences.
    pub why: Why,
}

impl Mesh {
    /// Move the ends of a step apart where pairs come too near, and go as far as is safe: positions after contact, for those who have no
    /// solver. Velocities follow: `(x - x0) / dt`. The separation of the options must be positive.
    ///
    /// ```
    /// let mesh = ccd::Mesh::new(4, &[[0, 1, 2]])?;
    /// let x0 = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.25, 0.25, 1.]];
    /// let x1 = [x0[0], x0[1], x0[2], [0.25, 0.25, -1.]];
    /// let how = ccd::RespondOptions { inverse_mass: Some(vec![0., 0., 0., 1.]), ..Default::default() };
    /// let after = mesh.respond(&x0, &x1, &how, &ccd::Options::default().min_separation(0.01))?;
    /// assert!((after.x[3][2] - 0.01).abs() < 1e-9 && after.alpha == 1.);
    /// # Ok::<(), ccd::Error>(())
    /// ```
    pub fn respond(&self, x0: &[[f64; 3]], x1: &[[f64; 3]], how: &RespondOptions, options: &Options) -> Result<Responded> {
        self.frames(x0, x1)?;
        let n = self.vertices;
        let masses = match &how.inverse_mass {
            Some(masses) if masses.len() != n => {
                return Err(wrong(format!("inverse_mass has {} numbers: the mesh has {n} vertices", masses.len())));
            }
            Some(masses) => masses.as_ptr(),
            None => ptr::null(),
        };
        let (a, b) = (x0.as_ptr().cast(), x1.as_ptr().cast());
        let (mut x, mut out): (_, abi::ccd_response) = (vec![[0.; 3]; n], blank());
        let (handle, to) = (self.handle, x.as_mut_ptr().cast());
        check(unsafe {
            abi::ccd_step_respond(
                handle,
                a,
                b,
                n,
                masses,
                how.friction,
                how.keep,
                how.max_rounds,
                &options.0,
                to,
                &mut out,
            )
        })?;
        Ok(Responded { x, alpha: out.alpha, contacts: out.contacts, rounds: out.rounds, why: Why::of(&out.why)? })
    }
}
