# The product of a double-double and a double: off by at most 17/4 u^2 times the product of their sizes. As in pair_times.g.
@d = float<ieee_64,ne>;
X = d(XR); Y = d(YR);
xh = d(a*X); y = d(b*Y); xl = d(al*X*1b-53);
p d= xh*y; e = xh*y - p;
w = d(xl*y + e);
q = k*w;
R = (p + w + q) - (xh + xl)*y;
{ X in [1,2] /\ Y in [1,2] /\ |a| <= 1 /\ |b| <= 1 /\ |al| <= 1 /\ |k| <= 1b-53 -> |R| / (X*Y) <= 17b-108 }
R -> q + (w - (xl*y + e));
$ X in 32, Y in 32;
