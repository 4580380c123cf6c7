#!/bin/sh
# JOML 1.10.8 (Maven org.joml:joml), Java 17, Linux x86-64. Needs javac and mvn.
#
# Intersectiond.intersectSweptSphereTriangle of a ball of radius 0.2 that flies from outside past or into a random triangle, at 0.1, 1
# and 10 a second, against steps by the exact distance of its middle to the triangle (conservative advancement, to 1e-7). A triangle is met
# from the front where its corners turn counterclockwise for the ball; each is tried as it is and with two corners exchanged.
# Guess: the time of the first contact, from both sides, or from the back no contact at all.
# Seen:  from the front all of about 3300 hits at each speed are exact. From the back, of the same hits 14 % are missed and 54 % are late,
#        the ball being by then up to 2.0 too far, 10 of its radii; a third is exact. None is early, and none is invented.
# Why it matters: the test of a moving ball is what keeps a camera or a walker out of walls. One who tries it with a floor finds it exact;
# a triangle that is wound the other way lets some balls in and stops others late. Orient the triangle to the velocity before each call.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mvn --quiet dependency:copy -Dartifact=org.joml:joml:1.10.8 -DoutputDirectory=.
cat >Run.java <<'JAVA'
import java.util.Random;
import org.joml.Intersectiond;
import org.joml.Vector3d;
import org.joml.Vector4d;

public class Run {
  static final Random RANDOM = new Random(1);
  static final double RADIUS = 0.2;

  static Vector3d normal() {
    return new Vector3d(RANDOM.nextGaussian(), RANDOM.nextGaussian(), RANDOM.nextGaussian());
  }

  static Vector3d across(Vector3d[] corners) {
    return new Vector3d(corners[1]).sub(corners[0]).cross(new Vector3d(corners[2]).sub(corners[0]));
  }

  static double distance(Vector3d point, Vector3d[] corners) {
    Vector3d up = across(corners).normalize();
    double height = new Vector3d(point).sub(corners[0]).dot(up), least = Double.MAX_VALUE;
    Vector3d foot = new Vector3d(point).fma(-height, up);
    boolean inside = true;
    for (int k = 0; k < 3; k++) {
      Vector3d edge = new Vector3d(corners[(k + 1) % 3]).sub(corners[k]);
      inside &= new Vector3d(edge).cross(new Vector3d(foot).sub(corners[k])).dot(up) >= 0;
      double along = Math.max(0, Math.min(1, new Vector3d(point).sub(corners[k]).dot(edge) / edge.dot(edge)));
      least = Math.min(least, new Vector3d(corners[k]).fma(along, edge).distance(point));
    }
    return inside ? Math.abs(height) : least;
  }

  // The time of the first contact, or infinity.
  static double truth(Vector3d from, Vector3d velocity, Vector3d[] corners, double end) {
    double time = 0;
    while (time < end) {
      double gap = distance(new Vector3d(from).fma(time, velocity), corners) - RADIUS;
      if (gap < 1e-7) return time;
      time += gap / velocity.length();
    }
    return Double.POSITIVE_INFINITY;
  }

  static double seen(Vector3d p, Vector3d v, Vector3d[] t, double end) {
    Vector4d result = new Vector4d();
    int kind = Intersectiond.intersectSweptSphereTriangle(p.x, p.y, p.z, RADIUS, v.x, v.y, v.z, t[0].x, t[0].y, t[0].z,
        t[1].x, t[1].y, t[1].z, t[2].x, t[2].y, t[2].z, 1e-9, end, result);
    return kind == 0 ? Double.POSITIVE_INFINITY : result.w;
  }

  public static void main(String[] arguments) {
    boolean changed = false;
    for (double speed : new double[] {0.1, 1, 10}) {
      int[] hits = new int[2], missed = new int[2], late = new int[2], early = new int[2], invented = new int[2];
      double[] most = new double[2];
      for (int i = 0; i < 10000; i++) {
        Vector3d[] corners = new Vector3d[3];
        for (int k = 0; k < 3; k++)
          corners[k] = new Vector3d(RANDOM.nextDouble(), RANDOM.nextDouble(), RANDOM.nextDouble()).mul(2).sub(1, 1, 1);
        Vector3d from = normal().normalize().mul(3), velocity = normal().mul(0.5).sub(from).normalize().mul(speed);
        if (across(corners).length() < 0.05 || distance(from, corners) < RADIUS + 0.01) continue;
        double end = 6 / speed, time = truth(from, velocity, corners, end);
        for (int turn = 0; turn < 2; turn++) {
          int back = across(corners).dot(velocity) < 0 ? 0 : 1;
          double other = seen(from, velocity, corners, end);
          if (time < end) hits[back]++;
          if (time < end && other > end) missed[back]++;
          if (time > end && other < end) invented[back]++;
          if (time < end && other < end && Math.abs(other - time) * speed > 1e-3) {
            if (other > time) late[back]++; else early[back]++;
            most[back] = Math.max(most[back], Math.abs(other - time) * speed);
          }
          corners = new Vector3d[] {corners[0], corners[2], corners[1]};
        }
      }
      for (int back = 0; back < 2; back++)
        System.out.printf("speed %.1f, from the %s: of %d hits %d are missed, %d late, %d early, by a way of up to %.2f; %d invented%n",
            speed, back == 0 ? "front" : "back", hits[back], missed[back], late[back], early[back], most[back], invented[back]);
      changed |= missed[0] + late[0] + early[0] + invented[0] > 0 || missed[1] < hits[1] / 20 || late[1] + early[1] < hits[1] / 4;
    }
    if (changed) System.err.println("the behavior has changed");
    System.exit(changed ? 1 : 0);
  }
}
JAVA
javac -cp joml-1.10.8.jar Run.java
java -cp joml-1.10.8.jar:. Run
