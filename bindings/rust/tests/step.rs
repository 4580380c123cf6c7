//! The safe face against what is known of a small step.

use ccd::{abi, Candidates, Cause, GradientState, Kind, Mesh, Motion, Neighbors, Options, RigidMotion, Verdict};

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
    assert_eq!((hit.verdict, hit.kind, hit.a, hit.b, hit.toi_lo), (Verdict::Contact, Some(Kind::VertexFace), 3, 0, 0.5));
    let all = mesh.collisions(&X0, &fallen(), &options).unwrap();
    assert!(all.len() > 1 && all[0].toi_lo == 0.5 && all.windows(2).all(|w| w[0].toi_lo <= w[1].toi_lo));
    let apart = mesh.earliest(&X0, &X0, &options).unwrap();
    assert_eq!((apart.verdict, apart.toi_lo), (Verdict::Separate, f64::INFINITY));
    let kept = mesh.earliest(&X0, &fallen(), &options.min_separation(0.5)).unwrap();
    assert_eq!(kept.toi_lo, 0.25);
}

#[test]
fn near_pairs_are_excluded() {
    let mut mesh = Mesh::new(6, &FACES).unwrap();
    let thick = Options::default().min_separation(1.5);
    assert_eq!(mesh.earliest(&X0, &fallen(), &thick).unwrap().toi_lo, 0.);
    assert!(mesh.exclude_near(&X0, 0, &thick).unwrap() > 0);
    assert_eq!(mesh.exclude_near(&X0, 0, &thick).unwrap(), 0);
    assert!(mesh.exclude_near(&X0, 99, &thick).is_err());
}

#[test]
fn filters_leave_pairs_out() {
    let mut mesh = Mesh::new(6, &FACES).unwrap();
    let meet = |mesh: &Mesh| mesh.earliest(&X0, &fallen(), &Options::default()).unwrap().verdict == Verdict::Contact;
    mesh.set_component_groups().unwrap();
    assert!(meet(&mesh));
    mesh.set_groups(Some(&[0; 6])).unwrap();
    assert!(!meet(&mesh));
    mesh.set_groups(Some(&[0, 0, 0, -1, -1, -1])).unwrap();
    assert!(meet(&mesh));
    mesh.set_groups(None).unwrap();
    mesh.set_static(Some(&[true; 6])).unwrap();
    assert!(!meet(&mesh));
    mesh.set_static(Some(&[true, true, true, false, false, false])).unwrap();
    assert!(meet(&mesh));
    mesh.set_static(None).unwrap();
    let text = mesh.set_static(Some(&[true])).err().unwrap().text;
    assert_eq!(text, "is_static has 1 items: must have one for each of the mesh's 6 vertices");
    assert!(mesh.set_groups(Some(&[])).err().unwrap().text.starts_with("groups has 0 items"));
}

#[test]
fn reasons_have_words() {
    assert_eq!(ccd::reason(abi::CCD_REASON_ITERATIONS), "iterations: max_iterations was reached");
    assert_eq!(ccd::reason(abi::CCD_CERTIFIED), "");
}

#[test]
fn intervals_begin_with_impacts() {
    let mesh = Mesh::new(6, &FACES).unwrap();
    let options = Options::default();
    let times = mesh.step(&X0, &fallen()).unwrap().intervals(&options).unwrap();
    let impacts = mesh.collisions(&X0, &fallen(), &options).unwrap();
    assert_eq!(times.len(), impacts.len());
    assert!(times.iter().zip(&impacts).all(|(t, i)| (t.enter, t.kind, t.a, t.b) == (i.toi_lo, i.kind, i.a, i.b)));
    let least = mesh.step(&X0, &X0).unwrap().clearance(&options).unwrap();
    assert!(least.lo <= 1.0 && 1.0 <= least.hi && least.hi - least.lo <= 2e-9);
    let q = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let found = ccd::pair_intervals(Kind::PointPoint, &q, &options.min_separation(0.5)).unwrap();
    assert_eq!((found.len(), found[0].enter, found[0].exit), (1, 0.25, 0.75));
    assert!(ccd::pair_intervals(Kind::PointEdge, &q, &options).err().unwrap().text.contains("not 18"));
    assert!(ccd::pair_intervals(Kind::EdgeFace, &q, &options).err().unwrap().text.contains("kind is EdgeFace"));
}

#[test]
fn gradients_of_an_impact() {
    let mesh = Mesh::new(6, &FACES).unwrap();
    let options = Options::default();
    let hit = mesh.earliest(&X0, &fallen(), &options).unwrap();
    let found = mesh.step(&X0, &fallen()).unwrap().gradients(&[hit], &options).unwrap();
    assert_eq!((found.len(), found[0].state, found[0].toi), (1, GradientState::Defined, 0.5));
    assert_eq!((found[0].vertices[0], found[0].x0[0][2], found[0].x1[0][2]), (3, 0.25, 0.25));
    let mut wrong = hit;
    wrong.a = 6;
    let error = mesh.step(&X0, &fallen()).unwrap().gradients(&[wrong], &options).err().unwrap();
    assert!(error.text.contains("impacts[0].a is 6"));
}

#[test]
fn safe_steps_and_constraints() {
    let mesh = Mesh::new(6, &FACES).unwrap();
    let options = Options::default().min_separation(1e-3);
    let (alpha, x) = mesh.advance(&X0, &fallen(), 1.0, &options).unwrap();
    assert!((alpha - 0.4995).abs() < 1e-9 && x.len() == 6 && x[3][2] > 1e-3 && x[..3] == X0[..3]);
    assert_eq!(mesh.earliest(&X0, &x, &options).unwrap().verdict, Verdict::Separate);
    let size = mesh.size(&X0, &fallen(), &options).unwrap();
    assert!(alpha <= size && size <= 0.4995);
    let each = mesh.step(&X0, &fallen()).unwrap().sizes(None, &options).unwrap();
    let one = mesh.step(&X0, &fallen()).unwrap().sizes(Some(&[0; 6]), &options).unwrap();
    assert!(each.alpha[0] == 1.0 && each.alpha[3] < 0.5 && each.alpha[4] > each.alpha[3] && each.y[0] == X0[0]);
    assert!(one.alpha.iter().all(|&alpha| alpha == one.alpha[0]) && one.report.used < each.report.used);
    assert!(mesh.step(&X0, &fallen()).unwrap().sizes(Some(&[0; 5]), &options).err().unwrap().text.contains("groups has 5"));
    let set = mesh.step(&X0, &fallen()).unwrap().active_set(&Options::default()).unwrap();
    let all = mesh.collisions(&X0, &fallen(), &Options::default()).unwrap();
    assert!(set.len() > 1 && set.iter().all(|c| all.contains(&c.impact)));
    assert_eq!((set[0].impact.kind, set[0].vertices, set[0].gap), (Some(Kind::VertexFace), [3, 0, 1, 2], -1.0));
    let rod = Mesh::with_edges(3, &[[0, 1]], &[]).unwrap();
    let (x0, x1) = ([X0[0], X0[1], [0.5, 1., 0.]], [X0[0], X0[1], [0.5, -1., 0.]]);
    let hit = rod.earliest(&x0, &x1, &Options::default()).unwrap();
    assert_eq!((hit.kind, hit.a, hit.b, hit.toi_lo), (Some(Kind::PointEdge), 2, 0, 0.5));
    assert!(hit.certified() && !hit.initial_contact());
}

#[test]
fn a_scene_of_parts_is_a_mesh_of_parts() {
    let options = Options::default();
    let one = Mesh::new(3, &[[0, 1, 2]]).unwrap();
    let scene = ccd::Scene::new(&one, &X0[..3]).unwrap();
    let part = scene.add(&one, &X0[3..]).unwrap();
    assert_eq!((part.id, part.first_vertex, part.first_edge, part.first_face, part.vertices), (1, 3, 3, 1, 3));
    let mesh = Mesh::new(6, &FACES).unwrap();
    let (moved, to) = ([3, 4, 5], fallen());
    let (hit, fresh) =
        (scene.step(&moved, &to[3..]).unwrap().earliest(&options).unwrap(), mesh.earliest(&X0, &to, &options).unwrap());
    assert_eq!((hit.kind, hit.a, hit.b, hit.toi_lo), (fresh.kind, fresh.a, fresh.b, fresh.toi_lo));
    let all = scene.step(&moved, &to[3..]).unwrap().collisions(&options).unwrap();
    assert_eq!(all.len(), mesh.collisions(&X0, &to, &options).unwrap().len());
    assert_eq!(scene.check(&options).unwrap(), ccd::State { known: 6, crossings: 0 });
    let size = scene.step(&moved, &to[3..]).unwrap().size(&options.check_start()).unwrap();
    let (alpha, x) = scene.step(&moved, &to[3..]).unwrap().advance(0.9, &options).unwrap();
    let each = scene.step(&moved, &to[3..]).unwrap().sizes(None, &options).unwrap();
    assert!(0.4 < alpha && alpha < size && size <= 0.5 && each.alpha.len() == 3 && each.report.used > 0.4);
    scene.commit_proven().unwrap();
    assert_eq!((scene.positions().unwrap()[3], scene.state().unwrap().known), (each.y[0], 6));
    scene.commit(&moved, &x).unwrap();
    assert!(scene.commit_proven().is_err() && scene.state().unwrap().known < 6);
    scene.reset(&X0).unwrap();
    scene.remove(0).unwrap();
    assert_eq!(scene.parts().unwrap().iter().map(|p| p.id).collect::<Vec<_>>(), [1]);
    assert_eq!(scene.step(&moved, &to[3..]).unwrap().earliest(&options).unwrap().verdict, Verdict::Separate);
    assert!(scene.remove(0).err().unwrap().text.contains("part is 0: the scene has no such part"));
    assert!(scene.step(&moved, &to).err().unwrap().text.contains("x1 has 6 rows"));
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
    let mut mesh = mesh;
    let scene = ccd::Scene::new(&mesh, &X0).unwrap();
    for (error, want) in [
        (mesh.set_radii(Some(&[0.1])).err(), "radii has 1 items: must have one for each of the mesh's 6 vertices"),
        (mesh.exclude_near(&X0[1..], 0, &Options::default()).err(), "rest has 5 vertices, the mesh has 6"),
        (ccd::Scene::new(&mesh, &X0[2..]).err(), "x0 has 4 vertices, the mesh has 6"),
        (scene.add(&mesh, &X0[3..]).err(), "x has 3 vertices, the mesh has 6"),
    ] {
        assert_eq!(error.unwrap().text, want);
    }
}

#[test]
fn a_step_is_a_value() {
    let options = Options::default();
    let (to, moved) = (fallen(), [3, 4, 5]);
    let mesh = Mesh::new(6, &FACES).unwrap();
    let scene = ccd::Scene::new(&mesh, &X0).unwrap();
    let (step, of_scene) = (mesh.step(&X0, &to).unwrap(), scene.step(&moved, &to[3..]).unwrap());
    drop((mesh, scene)); // the steps hold them
    let first = step.earliest(&options).unwrap();
    assert_eq!((first.toi_lo, step.collisions(&options).unwrap()[0]), (0.5, first));
    let (worlds0, worlds1) = ([X0, X0].concat(), [X0, to].concat());
    let worlds = Mesh::new(6, &FACES).unwrap().earliest_batch(&worlds0, &worlds1, &options).unwrap();
    assert_eq!((worlds[0].verdict, worlds[1]), (Verdict::Separate, first));
    let mesh = Mesh::new(6, &FACES).unwrap();
    let (alphas, x) = mesh.advance_batch(&worlds0, &worlds1, 0.5, &options).unwrap();
    let (alpha, alone) = step.advance(0.5, &options).unwrap();
    assert_eq!((alphas[1], &x[6..]), (alpha, &alone[..]));
    let how = ccd::RespondOptions { inverse_mass: Some(vec![0., 0., 0., 1., 1., 1.]), max_rounds: 50, ..Default::default() };
    let after = mesh.respond(&X0, &to, &how, &Options::default().min_separation(0.02)).unwrap();
    assert!(after.contacts > 0 && after.rounds > 0 && after.x[..3] == X0[..3] && after.x[3][2] > 0.);
    assert!((after.alpha == 1.) == (after.why.cause == ccd::Cause::None));
    let stuck = mesh.respond(&X0, &to, &how, &Options::default().min_separation(8.)).unwrap();
    assert_eq!((stuck.alpha, stuck.why.cause, stuck.why.separation), (0., ccd::Cause::Separation, 2.));
    assert_eq!(stuck.why.at_start, [(ccd::Cause::Separation, stuck.why.initial)]);
    assert!(stuck.why.others.is_empty() && stuck.why.to_string().contains("min_separation times keep"));
    assert!(mesh.respond(&X0, &to, &how, &options).unwrap_err().to_string().contains("min_separation is 0: must be positive"));
    assert!(mesh.advance_batch(&worlds0[1..], &worlds1, 0.5, &options).unwrap_err().to_string().contains("x0 has 11 rows"));
    assert!(step.size(&options).unwrap() < 0.5 && step.advance(0.5, &options).unwrap().0 < 0.25);
    assert_eq!(of_scene.earliest(&options).unwrap(), first);
    assert_eq!(of_scene.active_set(&options).unwrap()[0].vertices, [3, 0, 1, 2]);
    assert_eq!(of_scene.clearance(&options).unwrap(), step.clearance(&options).unwrap());
    std::thread::scope(|s| {
        (0..3).for_each(|_| {
            s.spawn(|| (0..20).for_each(|_| assert_eq!(step.earliest(&Options::default()).unwrap(), first)));
        })
    });
}

#[test]
fn a_step_between_groups_has_the_pairs_of_one_with_the_other() {
    let mesh = ccd::Mesh::new(4, &[[0, 1, 2]]).unwrap();
    let x0 = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0.25, 0.25, 1.]];
    let x1 = [x0[0], x0[1], x0[2], [0.25, 0.25, -1.]];
    let (point, face) = (ccd::Group { vertices: &[3], ..Default::default() }, ccd::Group { faces: &[0], ..Default::default() });
    let (step, o) = (mesh.step(&x0, &x1).unwrap(), Options::default());
    let between = step.between(&point, &face).unwrap();
    assert_eq!(between.collisions(&o).unwrap(), step.collisions(&o).unwrap());
    assert_eq!(step.between(&face, &Default::default()).unwrap().collisions(&o).unwrap(), []);
    let error = step.between(&point, &point).err().unwrap();
    assert_eq!(error.status, abi::CCD_E_INDEX);
    assert!(error.text.contains("b.vertices[0] is 3: "), "{}", error.text);
    assert_eq!(between.between(&point, &face).err().unwrap().status, abi::CCD_E_UNSUPPORTED);
}

/// What every call on a step returns, as text; calls that the step does not have are "unsupported".
fn answers(step: &ccd::Step) -> Vec<(&'static str, String)> {
    fn text<T: std::fmt::Debug>(r: ccd::Result<T>) -> String {
        match r {
            Ok(value) => format!("{value:?}"),
            Err(error) if error.status == abi::CCD_E_UNSUPPORTED => "unsupported".into(),
            Err(error) => panic!("{error}"),
        }
    }
    let (o, pairs) = (Options::default(), [[3, 0], [4, 0]]);
    let near = o.min_separation(0.25);
    let mut seen = 0;
    let visited = step.visit(&o, |some| {
        seen += some.len();
        false
    });
    let mut first = step.earliest(&o).unwrap();
    (first.kind, first.a, first.b) = (Some(Kind::VertexFace), 3, 0);
    vec![
        ("earliest", text(step.earliest(&o))),
        ("collisions", text(step.collisions(&o))),
        ("first_impacts", text(step.first_impacts(1, &o))),
        ("visit", text(visited.map(|()| seen))),
        ("pairs", text(step.pairs(Kind::VertexFace, &pairs, &o))),
        ("intervals", text(step.intervals(&o))),
        ("pairs_intervals", text(step.pairs_intervals(Kind::VertexFace, &pairs, &o))),
        ("clearance", text(step.clearance(&o))),
        ("size", text(step.size(&o))),
        ("advance", text(step.advance(0.9, &o))),
        ("sizes", text(step.sizes(None, &o).map(|s| (s.alpha, s.y)))),
        ("linesearch", text(step.linesearch(0.2, &near))),
        ("active_set", text(step.active_set(&near))),
        ("gradients", text(step.gradients(&[first], &o))),
    ]
}

#[test]
fn every_step_has_every_call() {
    let (to, moved, o) = (fallen(), [0, 1, 2, 3, 4, 5], Options::default().min_separation(0.25));
    let mut middle = X0;
    middle.iter_mut().zip(&to).for_each(|(m, b)| (0..3).for_each(|c| m[c] = (m[c] + b[c]) / 2.));
    middle[3][0] += 0.125;
    let mesh = Mesh::new(6, &FACES).unwrap();
    let straight = Motion::new(6, 1, None, &[X0, to].concat(), None).unwrap();
    let bent = Motion::new(6, 2, None, &[X0, middle, to].concat(), None).unwrap();
    let list = Neighbors::new(&mesh, &X0, 4.5, &Options::default()).unwrap();
    let scene = ccd::Scene::new(&mesh, &X0).unwrap();
    let known = Candidates::new(&mesh, &X0, &to, &o).unwrap();
    let curved = ["intervals", "pairs_intervals", "active_set", "gradients"];
    let of_scene = ["pairs", "pairs_intervals", "gradients"];
    let wanted = answers(&mesh.step(&X0, &to).unwrap());
    for (name, step, without) in [
        ("motion", mesh.step_on(&straight), &[][..]),
        ("candidates", known.step(&X0, &to), &["clearance"]),
        ("candidates on a motion", known.step_on(&straight), &["clearance"]),
        ("neighbors", list.step(&X0, &to), &[]),
        ("scene", scene.step(&moved, &to), &of_scene),
        ("bent", mesh.step_on(&bent), &curved),
        ("candidates on bent", Candidates::on(&mesh, &bent, &o).unwrap().step_on(&bent), &[&curved[..], &["sizes", "clearance"]].concat()),
    ] {
        for (got, want) in answers(&step.unwrap()).iter().zip(&wanted) {
            if without.contains(&got.0) {
                assert_eq!(got.1, "unsupported", "{name}, {}", got.0);
            } else if name.contains("bent") {
                assert_ne!(got.1, "unsupported", "{name}, {}", got.0);
            } else {
                assert_eq!(got, want, "{name}");
            }
        }
    }
    assert!(list.report().unwrap().served > 0 && known.pairs(Kind::VertexFace).unwrap().contains(&[3, 0]));
}

#[test]
fn a_visit_ends_and_panics_pass() {
    let mesh = Mesh::new(6, &FACES).unwrap();
    let (to, o) = (fallen(), Options::default());
    let step = mesh.step(&X0, &to).unwrap();
    assert_eq!(step.visit(&o, |_| true).err().unwrap().status, abi::CCD_E_CANCELLED);
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let caught = std::panic::catch_unwind(|| step.visit(&o, |_| panic!("mine")));
    std::panic::set_hook(hook);
    assert_eq!(caught.err().unwrap().downcast_ref::<&str>(), Some(&"mine"));
    assert_eq!(step.earliest(&o).unwrap().toi_lo, 0.5);
}

#[test]
fn motions_are_where_they_say() {
    let x = [[1., 0., 0.], [0., 1., 0.]];
    let (v, a, up) = ([[0., 0., 1.]; 2], [[0., 0., 2.]; 2], [[1., 0., 2.], [0., 1., 2.]]);
    let turn = RigidMotion {
        rotation: [1., 0., 0., 0.],
        position: [0.; 3],
        velocity: [0.; 3],
        angular_velocity: [0., 0., std::f64::consts::FRAC_PI_2],
        pivot: [0.; 3],
    };
    let turned = [[0., 1., 0.], [-1., 0., 0.]];
    let unit = |s: f64| [[s, 0., 0.], [0., s, 0.], [0., 0., s]];
    for (motion, want) in [
        (Motion::accelerated(&x, &v, &a), up),
        (Motion::hermite(2, None, &[x, up].concat(), &[v, v].concat()), up),
        (Motion::bspline(2, 1, &[0., 0., 1., 1.], &[x, up].concat()), up),
        (Motion::affine(&x, &[unit(1.), unit(2.)], &[[0.; 3]; 2]), [[2., 0., 0.], [0., 2., 0.]]),
        (Motion::rigid(&x, &turn, 0, 0), turned),
        (Motion::skinned(&x, &[turn], &[1., 1.], 5, 2), turned),
    ] {
        let (at, radius) = motion.unwrap().at(1.).unwrap();
        for (i, (got, want)) in at.iter().zip(&want).enumerate() {
            assert!((0..3).all(|c| (got[c] - want[c]).abs() <= 1e-9 + radius[i]), "{at:?}, want {want:?}");
        }
    }
    let path = Motion::new(2, 1, None, &[x, up].concat(), None).unwrap();
    assert_eq!(path.cut(&[0.5, 1.]).unwrap().at(1.).unwrap().0, [[1., 0., 1.], up[1]]);
    for (result, text) in [
        (Motion::new(2, 0, None, &x, None), "degree is 0"),
        (Motion::new(2, 1, None, &x, None), "control has 2 items: must have 4"),
        (Motion::new(2, 1, Some(&[0.]), &x, None), "times has 1 items"),
        (Motion::new(2, 1, None, &[x, up].concat(), Some(&[0.])), "radius has 1 items: must have 2"),
        (Motion::accelerated(&x, &v[1..], &a), "v has 1 items: must have 2"),
        (Motion::affine(&x, &[], &[]), "degree is -1"),
        (Motion::skinned(&x, &[turn], &[1.], 0, 0), "weights has 1 items: must have 2"),
        (path.cut(&[0.5]), "ends has 1 items: must have 2"),
    ] {
        let error = result.err().unwrap().text;
        assert!(error.contains(text), "{error}");
    }
    let mesh = Mesh::new(6, &FACES).unwrap();
    assert!(mesh.step_on(&path).err().unwrap().text.contains("motion has 2 vertices: the mesh has 6"));
    assert!(Neighbors::new(&mesh, &X0, 0., &Options::default()).err().unwrap().text.contains("reach is 0"));
    let known = Candidates::new(&mesh, &X0, &X0, &Options::default()).unwrap();
    assert!(known.step(&X0, &X0[1..]).err().unwrap().text.contains("x1 has 5 vertices, the mesh has 6"));
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

#[test]
fn why_a_step_is_short() {
    let mut mesh = Mesh::new(6, &FACES).unwrap();
    let options = Options::default();
    let found = mesh.step(&X0, &fallen()).unwrap().why(&options).unwrap();
    assert_eq!((found.cause, found.impact.toi_lo, found.same), (Cause::Meeting, 0.5, None));
    assert_eq!((found.vertices.as_slice(), found.x0[0], found.x1[0]), (&[3, 0, 1, 2][..], X0[3], fallen()[3]));
    assert_eq!((found.x0[1..].to_vec(), found.initial, found.rings), (X0[..3].to_vec(), 0, None));
    mesh.set_radii(Some(&[0.25, 0.25, 0.25, 0.7578125, 0.7578125, 0.7578125])).unwrap();
    let thick = mesh.step(&X0, &fallen()).unwrap().why(&options).unwrap();
    assert_eq!((thick.cause, thick.alpha, thick.separation, thick.radius), (Cause::Radii, 0., 1.0078125, [0.7578125, 0.25]));
    assert!(thick.distance_lo <= 1. && 1. <= thick.distance_hi && thick.initial > 0);
    let text = thick.to_string();
    assert!(text.starts_with("Vertex 3 and face 0") && !text.contains('\0'), "{}", text);
    assert!(mesh.set_radii(Some(&[0.; 5])).err().unwrap().text.contains("6"));
    assert_eq!(mesh.set_radii(Some(&[0., -1., 0., 0., 0., 0.])).err().unwrap().status, abi::CCD_E_ARGUMENT);
    mesh.set_radii(None).unwrap();
    let none = mesh.step(&X0, &X0).unwrap().why(&options).unwrap();
    assert_eq!((none.cause, none.alpha, none.vertices.len(), none.distance_hi), (Cause::None, 1., 0, f64::INFINITY));
}
