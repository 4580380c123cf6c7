# Lengths of vectors, and distances along them, in doubles.
#
# The length l of a direction is a root of a sum of three squares that do not underflow: within
# 2.51 u of the exact length L of the same numbers.
#
# An upper bound, encloseUp of simd/still/enclose.go: l times 1 + 8u is at least L (1 + 1.02u), so it is
# no less than the length of a vector whose components exceed those of L by 1.02u of themselves.
#
# A lower bound, encloseDown: a gap that rounding has raised by at most 2.02u of itself, over l, times
# 1 - 8u, is at most the exact quotient, which does not underflow.
@d = float<ieee_64,ne>;
x = d(xx); y = d(yy); z = d(zz); g = d(gg);
l = d(sqrt(d(d(d(x*x) + d(y*y)) + d(z*z))));
L = sqrt((x*x + y*y) + z*z);
u1 = l * ENCLOSE_UP; up = d(u1);
q0 = g / l; q = d(q0);
d1 = q * ENCLOSE_DOWN; down = d(d1);
e1 = (up - u1) / u1; e2 = (l - L) / L; e3 = (down - d1) / d1; e4 = (q - q0) / q0; e5 = (g - G) / G;
{ x*x in [1b-950,1b500] /\ y*y in [1b-950,1b500] /\ z*z in [1b-950,1b500] /\ G in [1b-860,1b400] /\ g in [1b-861,1b401]
  /\ q0 in [1b-1000,1b1000] /\ |e5| <= 2.24265e-16
  -> |e2| <= 2.78665e-16 /\ up / L - 1 >= 1.13243e-16 /\ down / (G / L) - 1 <= 0 }

up / L -> (1 + e1) * (1 + e2) * ENCLOSE_UP { u1 <> 0, L <> 0 };
down / (G / L) -> (1 + e3) * (1 + e4) * ((1 + e5) / (1 + e2)) * ENCLOSE_DOWN { d1 <> 0, g <> 0, l <> 0, G <> 0, L <> 0 };
