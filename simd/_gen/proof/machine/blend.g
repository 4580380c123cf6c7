# The entry at a time T, fl(fl(a0 w) + fl(a1 T)) with w = fl(1 - T): off by at most 4 u M from the blend of the exact differences
# x0 M and x1 M, where M is the larger of both magnitudes, anywhere in a binade.
@d = float<ieee_64,ne>;
T = d(TR); M = d(MR);
a0 = d(x0*M); a1 = d(x1*M);
w = d(1-T);
a d= a0*w + a1*T;
A = (x0*M)*(1-T) + (x1*M)*T;
{ T in [0,1] /\ M in [1,2] /\ x0 in [-1,1] /\ x1 in [-1,1] -> |a - A| / M <= 4b-53 }
$ M in 16, T in 64;
