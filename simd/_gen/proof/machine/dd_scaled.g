# The product of a double-double and a double as exact.DD has it. As in dd_times.g. Claim: off by at most 13/4 u^2 X Y.
@d = float<ieee_64,ne>;
X = d(XR); Y = d(YR);
xh = d(a*X); y = d(b*Y); xl = d(al*X*1b-53);
p d= xh*y; e = xh*y - p;
f = d(xl*y); l = d(e + f);
R = (p + l) - (xh + xl)*y;
{ X in [1,2] /\ Y in [1,2] /\ |a| <= 1 /\ |b| <= 1 /\ |al| <= 1 -> |R| / (X*Y) <= 13b-108 }
R -> (l - (e + f)) + (f - xl*y);
$ X in 32, Y in 32;
