# The sum of two double-doubles as exact.DD and num.Ball have it: two exact sums (two_sum of Exact.v) around two rounded ones.
# Z is the sum of their sizes, anywhere in a binade, and t the share of x. Claim: the sum is off by at most 13/4 u^2 Z.
@d = float<ieee_64,ne>;
xh = d(a*(t*Z)); yh = d(b*((1-t)*Z)); xl = d(al*(t*Z)*1b-53); yl = d(bl*((1-t)*Z)*1b-53);
s d= xh + yh; e = (xh + yh) - s;
v d= xl + yl; w d= e + v;
R = (s + w) - ((xh + xl) + (yh + yl));
{ Z in [1,2] /\ t in [0,1] /\ |a| <= 1 /\ |b| <= 1 /\ |al| <= 1 /\ |bl| <= 1 -> |R| / Z <= 13b-108 }
R -> (w - (e + v)) + (v - (xl + yl));
$ Z in 32, t in 32;
