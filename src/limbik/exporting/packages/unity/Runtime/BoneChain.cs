using UnityEngine;

namespace Limbik
{
    /// <summary>
    /// Poses bones with the rotations of a solver. A solver's links have their own axes (+z along the link), a rig's
    /// bones have others: each bone keeps its rotation relative to its link. The links are solved twice, once for the
    /// pose that the bones are in, once for the goal, and each bone is turned by the difference.
    /// </summary>
    public static class BoneChain
    {
        /// <summary>Brings the tip to a target; the tip bone keeps its rotation in the world.</summary>
        /// <param name="pole">direction from the root on whose side the middle joint lies</param>
        /// <param name="softReach">fraction of the limb's length at which reaching begins to ease; 1: off</param>
        /// <param name="weight">0 leaves the pose as it is, 1 reaches</param>
        public static TwoLink.Solution Reach(
            Transform root, Transform middle, Transform tip, Vector3 target, Vector3 pole, float softReach, float weight)
        {
            Vector3 origin = root.position, bend = Bend(root, middle, tip);
            float first = (middle.position - origin).magnitude, second = (tip.position - middle.position).magnitude;
            var now = TwoLink.Solve(first, second, tip.position, bend, origin, 1f, 1f);
            if (now.Singular) now = TwoLink.Solve(first, second, tip.position, pole, origin, 1f, 1f);
            Vector3 goal = Vector3.Lerp(tip.position, target, weight);
            var then = TwoLink.Solve(first, second, goal, pole, origin, softReach, 1f);
            if (then.Status == Invalid) return then;
            Quaternion middleRotation = middle.rotation, tipRotation = tip.rotation;
            root.rotation = Turned(now.FirstRotation, then.FirstRotation, root.rotation);
            middle.rotation = Turned(now.SecondRotation, then.SecondRotation, middleRotation);
            tip.rotation = tipRotation;
            return then;
        }

        /// <summary>Brings the tip of three bones to a target, with the last bone along a direction.</summary>
        /// <param name="direction">of the last bone, from ankle to tip</param>
        /// <param name="pole">direction from the root on whose side the middle joint lies</param>
        /// <param name="weight">0 leaves the pose as it is, 1 reaches</param>
        public static ThreeLink.Solution Reach(
            Transform root, Transform middle, Transform ankle, Transform tip, Vector3 target, Vector3 direction,
            Vector3 pole, float weight)
        {
            Vector3 origin = root.position, bend = Bend(root, middle, ankle), foot = tip.position - ankle.position;
            float first = (middle.position - origin).magnitude, last = foot.magnitude;
            float second = (ankle.position - middle.position).magnitude;
            var now = ThreeLink.Solve(first, second, last, tip.position, foot, origin, bend, 1f);
            if (now.Singular) now = ThreeLink.Solve(first, second, last, tip.position, foot, origin, pole, 1f);
            Vector3 goal = Vector3.Lerp(tip.position, target, weight);
            Vector3 wanted = Vector3.Slerp(foot.normalized, direction.normalized, weight);
            var then = ThreeLink.Solve(first, second, last, goal, wanted, origin, pole, 1f);
            if (then.Status == Invalid) return then;
            Quaternion middleRotation = middle.rotation, ankleRotation = ankle.rotation;
            root.rotation = Turned(now.FirstRotation, then.FirstRotation, root.rotation);
            middle.rotation = Turned(now.SecondRotation, then.SecondRotation, middleRotation);
            ankle.rotation = Turned(now.LastRotation, then.LastRotation, ankleRotation);
            return then;
        }

        /// <summary>The direction in which a limb is bent; zero where it is straight.</summary>
        public static Vector3 Bend(Transform root, Transform middle, Transform tip)
        {
            return middle.position - 0.5f * (root.position + tip.position);
        }

        const int Invalid = 4;

        static Quaternion Turned(Quaternion before, Quaternion after, Quaternion bone)
        {
            return after * Quaternion.Inverse(before) * bone;
        }
    }
}
