// Scores of the site's search: calls that people look for first come before methods of the same name, and pages for users before
// proofs and pages for contributors.
const USERS = /^(howto|tutorials|explanation|reference)\/|^(tutorial|install|limits|migrate|performance|index)$/;
const OTHERS = /^(proofs|contributing|generated\/reports)\/|^(architecture|tried|numerics|papers|graded)$/;
const FIRST = ["ccd.step.", "ccd.Mesh", "ccd.proximity.", "ccd.rigid."];
var Scorer = {
  score: ([name, title, , , score]) => {
    const place = FIRST.findIndex((start) => title.startsWith(start));
    const depth = (title.match(/^[a-z]\w*(\.\w+)+$/i) || [""])[0].split(".").length;
    const reader = USERS.test(name) ? 2 : OTHERS.test(name) ? -4 : 0;
    return score + reader + (place < 0 ? 0 : 4 - place) - Math.max(0, depth - 3);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
