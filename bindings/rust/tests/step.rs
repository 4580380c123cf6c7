//! The safe face against what is known of a small step.

use ccd::{abi, Mesh, Options};

const FACES: [[i32; 3]; 2] = [[0, 1, 2], [3, 4, 5]];
const X0: [[f64; 3]; 6] = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.2, 0.2, 1.], [0.3, 0.2, 2.], [0.2, 0.3, 2.]];

fn fallen() -> [[f64; 3]; 6] {
    let mut x1 = X0;
    x1[3..].iter_mut().for_each(|x| x[2] -= 2.);
    x1
}

#[test]
fn earliest_and_all() {
    let mesh = Mesh::new(6, &FACES).unwrap();
    let options = Options::default();
    let hit = mesh.earliest(&X0, &fallen(), &options).unwrap();
    assert_eq!((hit.verdict, hit.kind, hit.a, hit.b, hit.toi_lo), (abi::CCD_CONTACT, abi::CCD_VERTEX_FACE, 3, 0, 0.5));
    let all = mesh.collisions(&X0, &fallen(), &options).unwrap();
    assert!(all.len() > 1 && all[0].toi_lo == 0.5 && all.windows(2).all(|w| w[0].toi_lo <= w[1].toi_lo));
    let apart = mesh.earliest(&X0, &X0, &options).unwrap();
    assert_eq!((apart.verdict, apart.toi_lo), (abi::CCD_SEPARATE, f64::INFINITY));
    let kept = mesh.earliest(&X0, &fallen(), &options.min_separation(0.5)).unwrap();
    assert_eq!(kept.toi_lo, 0.25);
}

#[test]
fn intervals_begin_with_impacts() {
    let mesh = Mesh::new(6, &FACES).unwrap();
    let options = Options::default();
    let times = mesh.intervals(&X0, &fallen(), &options).unwrap();
    let impacts = mesh.collisions(&X0, &fallen(), &options).unwrap();
    assert_eq!(times.len(), impacts.len());
    assert!(times.iter().zip(&impacts).all(|(t, i)| (t.enter, t.kind, t.a, t.b) == (i.toi_lo, i.kind, i.a, i.b)));
    let least = mesh.least_distance(&X0, &X0, &options).unwrap();
    assert!(least.distance_lo <= 1.0 && 1.0 <= least.distance_hi && least.distance_hi - least.distance_lo <= 2e-9);
    let q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let found = ccd::pair_intervals(abi::CCD_POINT_POINT, &q, &options.min_separation(0.5)).unwrap();
    assert_eq!((found.len(), found[0].enter, found[0].exit), (1, 0.25, 0.75));
    assert!(ccd::pair_intervals(abi::CCD_POINT_EDGE, &q, &options).err().unwrap().text.contains("not 18"));
    assert!(ccd::pair_intervals(9, &q, &options).err().unwrap().text.contains("kind is 9"));
}

#[test]
fn gradients_of_an_impact() {
    let mesh = Mesh::new(6, &FACES).unwrap();
    let options = Options::default();
    let hit = mesh.earliest(&X0, &fallen(), &options).unwrap();
    let found = mesh.gradients(&X0, &fallen(), &[hit], &options).unwrap();
    assert_eq!((found.len(), found[0].state, found[0].toi), (1, abi::CCD_GRADIENT_DEFINED, 0.5));
    assert_eq!((found[0].vertices[0], found[0].x0[2], found[0].x1[2]), (3, 0.25, 0.25));
    let mut wrong = hit;
    wrong.a = 6;
    let error = mesh.gradients(&X0, &fallen(), &[wrong], &options).err().unwrap();
    assert!(error.text.contains("impacts[0].a is 6"));
}

#[test]
fn errors_name_the_argument() {
    let text = |r: ccd::Result<Mesh>| r.err().unwrap();
    assert!(text(Mesh::new(6, &[[0, 1, 6]])).text.contains("faces[0]"));
    assert_eq!(text(Mesh::new(6, &[[0, 1, 6]])).status, abi::CCD_E_INDEX);
    let mesh = Mesh::new(6, &FACES).unwrap();
    assert!(mesh.earliest(&X0[..5], &X0, &Options::default()).err().unwrap().text.contains("x0 has 5"));
    let mut bad = X0;
    bad[4][1] = f64::NAN;
    assert_eq!(mesh.earliest(&X0, &bad, &Options::default()).err().unwrap().status, abi::CCD_E_NONFINITE);
}

#[test]
fn threads_share_a_mesh() {
    let mesh = Mesh::new(6, &FACES).unwrap();
    std::thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                (0..50).for_each(|_| {
                    assert_eq!(mesh.earliest(&X0, &fallen(), &Options::default().threads(2)).unwrap().toi_lo, 0.5)
                })
            });
        }
    });
}

#[test]
fn the_library_is_of_the_header() {
    assert_eq!(ccd::version(), abi::CCD_VERSION);
}
