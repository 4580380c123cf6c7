# The product of two double-doubles as exact.DD and num.Ball have it: the product of the high parts is exact (two_product of
# Exact.v), e its error. The last step is exact (fast_two_sum: |l| is a few u of |p|). X and Y are their sizes, anywhere in a binade.
# Claim: the product is off by at most 9 u^2 X Y.
@d = float<ieee_64,ne>;
X = d(XR); Y = d(YR);
xh = d(a*X); yh = d(b*Y); xl = d(al*X*1b-53); yl = d(bl*Y*1b-53);
p d= xh*yh; e = xh*yh - p;
f = d(xh*yl); g = d(xl*yh); h = d(f + g); l = d(e + h);
R = (p + l) - (xh + xl)*(yh + yl);
{ X in [1,2] /\ Y in [1,2] /\ |a| <= 1 /\ |b| <= 1 /\ |al| <= 1 /\ |bl| <= 1 -> |R| / (X*Y) <= 9b-106 }
R -> (l - (e + h)) + (h - (f + g)) + (f - xh*yl) + (g - xl*yh) - xl*yl;
$ X in 8, Y in 8;
