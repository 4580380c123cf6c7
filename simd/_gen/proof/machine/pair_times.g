# The product of two double-doubles: off by at most 9 u^2 times the product of their sizes X and Y, each anywhere in a binade.
# The product of the high parts is exact (two_product of Exact.v): e is its error. q = k w, |k| <= u, as in pair_plus.g.
@d = float<ieee_64,ne>;
X = d(XR); Y = d(YR);
xh = d(a*X); yh = d(b*Y); xl = d(al*X*1b-53); yl = d(bl*Y*1b-53);
p d= xh*yh; e = xh*yh - p;
m = d(xl*yh + e); w = d(xh*yl + m);
q = k*w;
R = (p + w + q) - (xh + xl)*(yh + yl);
{ X in [1,2] /\ Y in [1,2] /\ |a| <= 1 /\ |b| <= 1 /\ |al| <= 1 /\ |bl| <= 1 /\ |k| <= 1b-53 -> |R| / (X*Y) <= 9b-106 }
R -> q + (w - (xh*yl + m)) + (m - (xl*yh + e)) - xl*yl;
$ X in 8, Y in 8;
