using UnityEngine;

namespace Limbik
{
    /// <summary>
    /// The side on which a limb is bent, from frame to frame. Where a target passes the line of the pole, the side that
    /// the pole asks for jumps; `TwoLink.Track` goes on in the plane of the frame before, and from there the limb turns
    /// to the pole's side at a bounded rate. Directions are kept in the frame of what carries the limb.
    /// </summary>
    struct BendPlane
    {
        const float TurnRate = 1.5f;       // degrees that the plane turns for each degree of target or pole
        const float ReturnRate = 45f;      // degrees a second towards the pole's side
        TwoLink.State state;
        bool begun;

        public void Forget() { begun = false; }

        /// <summary>The unit direction, across the line to the target, on whose side the limb bends.</summary>
        /// <param name="way">from the limb's root to where its end goes</param>
        /// <param name="pole">direction on whose side it should bend</param>
        /// <param name="frame">rotation of what carries the limb</param>
        /// <param name="certain">0: the pole may jump. 1: it does not, and is followed at once.</param>
        public Vector3 Side(Vector3 way, Vector3 pole, Quaternion frame, float certain, float seconds)
        {
            Quaternion inverse = Quaternion.Inverse(frame);
            Vector3 target = inverse * way, guide = inverse * pole;
            var asked = TwoLink.Solve(1f, 1f, target, guide, Vector3.zero, 1f, 1f);
            if (asked.Status == TwoLink.Status.Invalid) return pole;
            if (begun && certain < 1f)
            {
                var tracked = TwoLink.Track(1f, 1f, target, guide, Vector3.zero, 1f, 1f, TurnRate, state);
                float rate = ReturnRate / Mathf.Max(1f - certain, 0.01f);
                state = tracked.State;
                state.Side = Turned(tracked.State.Side, asked.State.Side, asked.State.Aim, rate * seconds);
            }
            else state = asked.State;
            begun = true;
            return frame * state.Side;
        }

        /// <summary>A direction across an axis, turned about the axis towards another by at most some degrees.</summary>
        static Vector3 Turned(Vector3 from, Vector3 to, Vector3 axis, float most)
        {
            float angle = Vector3.SignedAngle(from, to, axis);
            return Quaternion.AngleAxis(Mathf.Clamp(angle, -most, most), axis) * from;
        }
    }
}
