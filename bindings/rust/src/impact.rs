//! Results with enums in place of the numbers of the C interface.

use crate::abi;

/// What a call says about a pair, or about all pairs of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The budget was spent; the step up to `toi_lo` is safe nevertheless.
    Undecided,
    /// Proven: nothing comes within the separation.
    Separate,
    /// There is a contact at `toi_lo`.
    Contact,
}

/// The kind of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    VertexFace,
    EdgeEdge,
    PointEdge,
    PointPoint,
    /// An edge that passes through a face, at the start of a step or in one frame.
    EdgeFace,
}

/// Whether an impact has derivatives, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GradientState {
    Undetermined,
    Defined,
    NoImpact,
    Initial,
    Grazing,
    Tie,
    Border,
}

fn verdict(number: i32) -> Verdict {
    match number {
        abi::CCD_SEPARATE => Verdict::Separate,
        abi::CCD_CONTACT => Verdict::Contact,
        _ => Verdict::Undecided,
    }
}

impl Kind {
    /// The number of the kind in the C interface.
    pub fn number(self) -> i32 {
        match self {
            Kind::VertexFace => abi::CCD_VERTEX_FACE,
            Kind::EdgeEdge => abi::CCD_EDGE_EDGE,
            Kind::PointEdge => abi::CCD_POINT_EDGE,
            Kind::PointPoint => abi::CCD_POINT_POINT,
            Kind::EdgeFace => abi::CCD_EDGE_FACE,
        }
    }

    pub(crate) fn of(number: i32) -> Option<Kind> {
        [Kind::VertexFace, Kind::EdgeEdge, Kind::PointEdge, Kind::PointPoint, Kind::EdgeFace]
            .into_iter()
            .find(|kind| kind.number() == number)
    }
}

/// The first contact of a pair, or of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    pub verdict: Verdict,
    /// The kind of the pair; None where there is no pair.
    pub kind: Option<Kind>,
    /// The index of the first primitive; -1 without a mesh.
    pub a: i64,
    /// The index of the second primitive; -1 without a mesh.
    pub b: i64,
    /// The time of impact rounded down, a fraction of the step; infinity where nothing meets.
    pub toi_lo: f64,
    /// The end of the interval that holds the time of impact.
    pub toi_hi: f64,
    /// Where on the primitives the contact is: `CCD_CONTACT` in ccd.h says how, by kind.
    pub u: f64,
    pub v: f64,
    /// The point of contact at `toi_lo`; zeros where nothing meets.
    pub point: [f64; 3],
    /// The unit normal from b to a; zeros where nothing meets.
    pub normal: [f64; 3],
    /// The length of the last box of the search; smaller is more precise.
    pub width: f64,
    /// `CCD_CERTIFIED`, `CCD_INITIAL_CONTACT`, `CCD_INTERSECTING` of [`abi`].
    pub flags: u32,
}

impl Impact {
    /// Whether a contact within the interval is proven.
    pub fn certified(&self) -> bool {
        self.flags & abi::CCD_CERTIFIED != 0
    }

    /// Whether the pair is in contact at the start of the step.
    pub fn initial_contact(&self) -> bool {
        self.flags & abi::CCD_INITIAL_CONTACT != 0
    }
}

impl From<abi::ccd_impact> for Impact {
    fn from(c: abi::ccd_impact) -> Impact {
        let abi::ccd_impact { a, b, toi_lo, toi_hi, u, v, point, normal, width, flags, .. } = c;
        Impact { verdict: verdict(c.verdict), kind: Kind::of(c.kind), a, b, toi_lo, toi_hi, u, v, point, normal, width, flags }
    }
}

impl From<Impact> for abi::ccd_impact {
    fn from(hit: Impact) -> abi::ccd_impact {
        let Impact { a, b, toi_lo, toi_hi, u, v, point, normal, width, flags, .. } = hit;
        let verdict = match hit.verdict {
            Verdict::Undecided => abi::CCD_UNDECIDED,
            Verdict::Separate => abi::CCD_SEPARATE,
            Verdict::Contact => abi::CCD_CONTACT,
        };
        let kind = hit.kind.map_or(0, Kind::number);
        abi::ccd_impact { verdict, kind, a, b, toi_lo, toi_hi, u, v, point, normal, width, flags, reserved: 0 }
    }
}

/// An interval of time in which a pair is in contact, or within the separation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    pub kind: Option<Kind>,
    pub a: i64,
    pub b: i64,
    /// The start, a fraction of the step.
    pub enter: f64,
    pub exit: f64,
    /// The side of the face, or of the other edge, before and after: -1, 0 or 1.
    pub side_before: i32,
    pub side_after: i32,
    /// `CCD_INITIAL_CONTACT`, `CCD_FINAL_CONTACT` of [`abi`].
    pub flags: u32,
}

impl From<abi::ccd_interval> for Interval {
    fn from(c: abi::ccd_interval) -> Interval {
        let abi::ccd_interval { a, b, enter, exit, side_before, side_after, flags, .. } = c;
        Interval { kind: Kind::of(c.kind), a, b, enter, exit, side_before, side_after, flags }
    }
}

/// The least distance that any pair has during a step, with its time and place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// The kind of the pair; None where there is no pair.
    pub kind: Option<Kind>,
    pub a: i64,
    pub b: i64,
    /// When the pair has a distance of at most `hi`, a fraction of the step.
    pub time: f64,
    pub lo: f64,
    pub hi: f64,
    pub u: f64,
    pub v: f64,
    /// The nearest points at `time`, each within `epsilon` of its surface; one point where they touch.
    pub point_a: [f64; 3],
    pub point_b: [f64; 3],
    /// Unit, from b to a; zeros where nothing gives one.
    pub normal: [f64; 3],
    pub epsilon: f64,
}

impl From<abi::ccd_clearance> for Clearance {
    fn from(c: abi::ccd_clearance) -> Clearance {
        let abi::ccd_clearance { a, b, time, lo, hi, u, v, point_a, point_b, normal, epsilon, .. } = c;
        Clearance { kind: Kind::of(c.kind), a, b, time, lo, hi, u, v, point_a, point_b, normal, epsilon }
    }
}

/// The derivatives of a time of impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gradient {
    pub state: GradientState,
    pub kind: Option<Kind>,
    /// With respect to the pair's vertices at t = 0, in units of 1 / length.
    pub x0: [[f64; 3]; 4],
    /// The same at t = 1.
    pub x1: [[f64; 3]; 4],
    /// The time that they are taken at.
    pub toi: f64,
    /// How steeply the two meet, in (0, 1]; 0 where the state is not `Defined`.
    pub conditioning: f64,
    /// Of the vertices in the points in contact.
    pub weights: [f64; 4],
    pub normal: [f64; 3],
    /// Of the pair, in the order of a query; -1 where there is none.
    pub vertices: [i32; 4],
}

impl From<abi::ccd_gradient> for Gradient {
    fn from(c: abi::ccd_gradient) -> Gradient {
        let rows = |x: [f64; 12]| [0, 3, 6, 9].map(|i| [x[i], x[i + 1], x[i + 2]]);
        let abi::ccd_gradient { toi, conditioning, weights, normal, vertices, .. } = c;
        let state = match c.state {
            abi::CCD_GRADIENT_DEFINED => GradientState::Defined,
            abi::CCD_GRADIENT_NO_IMPACT => GradientState::NoImpact,
            abi::CCD_GRADIENT_INITIAL => GradientState::Initial,
            abi::CCD_GRADIENT_GRAZING => GradientState::Grazing,
            abi::CCD_GRADIENT_TIE => GradientState::Tie,
            abi::CCD_GRADIENT_BORDER => GradientState::Border,
            _ => GradientState::Undetermined,
        };
        let (x0, x1) = (rows(c.x0), rows(c.x1));
        Gradient { state, kind: Kind::of(c.kind), x0, x1, toi, conditioning, weights, normal, vertices }
    }
}

/// What a solver needs of an impact: the points of the pair must keep `separation` along the normal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Constraint {
    pub impact: Impact,
    /// Of the pair, in the order of a query; a kind with fewer repeats one, with weight 0.
    pub vertices: [i32; 4],
    /// Of the points in contact: positive on a, negative on b.
    pub weights: [f64; 4],
    /// The distance along the normal at x1, less `separation`; negative if the step comes too near.
    pub gap: f64,
    /// `min_separation` and the radii of both.
    pub separation: f64,
}

impl From<abi::ccd_constraint> for Constraint {
    fn from(c: abi::ccd_constraint) -> Constraint {
        Constraint {
            impact: c.impact.into(),
            vertices: c.vertices,
            weights: c.weights,
            gap: c.gap,
            separation: c.separation,
        }
    }
}
