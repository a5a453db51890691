using UnityEngine;

namespace Limbik
{
    /// <summary>
    /// Brings the end of two bones to a place. A solver's links have their own axes (+z along the link, +x the hinge), a
    /// rig's bones have others: each bone is turned by as much as its link turns, and keeps its axes and its twist.
    /// </summary>
    sealed class LimbReach
    {
        const float HandoverSine = 0.259f;     // of the bend below which a limb's usual hinge takes over
        const float OverextensionSine = 0.6f;  // of the bend the wrong way up to which it counts as overextended
        BendPlane plane;
        Vector3 usualHinge;                    // in the root bone's frame
        bool knowsHinge;

        public TwoLink.Solution Solution { get; private set; }

        public void Forget() { plane.Forget(); }

        public void ForgetRig() { knowsHinge = false; }

        /// <summary>Brings the tip to a target; the tip bone keeps its rotation in the world.</summary>
        /// <param name="pole">direction from the root; zero: the bend that the animation has</param>
        /// <param name="usual">direction of the bend where the limb is straight when it is first seen</param>
        public void Reach(
            Transform root, Transform middle, Transform tip, Vector3 target, Vector3 pole, Vector3 usual, float softReach,
            float seconds)
        {
            Vector3 origin = root.position, first = middle.position - origin, second = tip.position - middle.position;
            Vector3 chord = tip.position - origin, way = target - origin;
            Vector3 hinge = Hinge(root, first.normalized, second.normalized, chord, usual);
            float certain = 0f;
            if (pole == Vector3.zero)
            {
                pole = Quaternion.FromToRotation(chord, way) * Vector3.Cross(chord, hinge);
                float along = Vector3.Dot(chord.normalized, way.normalized);
                certain = Mathf.InverseLerp(-0.9f, -0.2f, along);
            }
            Quaternion frame = root.parent != null ? root.parent.rotation : Quaternion.identity;
            Vector3 side = plane.Side(way, pole, frame, certain, seconds);
            var then = TwoLink.Solve(first.magnitude, second.magnitude, target, side, origin, softReach, 1f);
            Solution = then;
            if (then.Status == TwoLink.Status.Invalid) return;
            Quaternion middleRotation = middle.rotation, tipRotation = tip.rotation;
            root.rotation = TwoLink.TurnBone(Link(first, hinge), then.FirstRotation, root.rotation).Rotation;
            middle.rotation = TwoLink.TurnBone(Link(second, hinge), then.SecondRotation, middleRotation).Rotation;
            tip.rotation = tipRotation;
        }

        /// <summary>The axis about which the second bone is bent; near a straight limb, where that is noise, the usual
        /// one takes over.</summary>
        Vector3 Hinge(Transform root, Vector3 first, Vector3 second, Vector3 chord, Vector3 usual)
        {
            Vector3 own = Vector3.Cross(first, second);
            float size = own.magnitude;
            if (!knowsHinge)
            {
                Vector3 seen = size > 0.1f ? own : Vector3.Cross(usual, chord);
                usualHinge = Quaternion.Inverse(root.rotation) * seen.normalized;
                knowsHinge = true;
            }
            Vector3 expected = root.rotation * usualHinge;
            float certain = Mathf.Max(Vector3.Dot(own, expected), size - OverextensionSine) / HandoverSine;
            certain = Mathf.SmoothStep(0f, 1f, certain);
            return certain * own + HandoverSine * (1f - certain) * expected;
        }

        static Quaternion Link(Vector3 direction, Vector3 hinge)
        {
            return Quaternion.LookRotation(direction, Vector3.Cross(direction, hinge));
        }
    }
}
