# The sum of two double-doubles x = xh + xl and y = yh + yl, |xl| <= u |xh| and |yl| <= u |yh|, as in core/num and simd.
# Z is the sum of their sizes, anywhere in a binade, and t the share of x. TwoSum is exact (two_sum of Exact.v): e is its error.
# The last step is exact but for q = k w, |k| <= u (fast_two_sum where |s| >= |w|; else s and w have one scale).
# Claim: the sum is off by at most 21/4 u^2 Z.
@d = float<ieee_64,ne>;
xh = d(a*(t*Z)); yh = d(b*((1-t)*Z)); xl = d(al*(t*Z)*1b-53); yl = d(bl*((1-t)*Z)*1b-53);
s d= xh + yh; e = (xh + yh) - s;
v d= xl + yl; w d= e + v;
q = k*w;
R = (s + w + q) - ((xh + xl) + (yh + yl));
{ Z in [1,2] /\ t in [0,1] /\ |a| <= 1 /\ |b| <= 1 /\ |al| <= 1 /\ |bl| <= 1 /\ |k| <= 1b-53 -> |R| / Z <= 21b-108 }
R -> q + (w - (e + v)) + (v - (xl + yl));
$ Z in 32, t in 32;
