// Scores of the site's search: calls that people look for first come before methods of the same name.
const FIRST = ["ccd.step.", "ccd.Mesh", "ccd.proximity.", "ccd.rigid."];
var Scorer = {
  score: ([, title, , , score]) => {
    const place = FIRST.findIndex((start) => title.startsWith(start));
    const depth = (title.match(/^[a-z]\w*(\.\w+)+$/i) || [""])[0].split(".").length;
    return score + (place < 0 ? 0 : 4 - place) - Math.max(0, depth - 3);
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
