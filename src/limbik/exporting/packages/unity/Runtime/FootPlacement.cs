using System;
using UnityEngine;

namespace Limbik
{
    /// <summary>
    /// Keeps the feet of an animated character on the ground: on slopes, stairs and rubble they neither float nor sink,
    /// and a foot that stands stays where it is. The animation is that of a walk on level ground; the level is the
    /// height of this transform.
    /// </summary>
    [AddComponentMenu("Limbik/Foot Placement")]
    [DefaultExecutionOrder(100)]
    public sealed class FootPlacement : MonoBehaviour
    {
        /// <summary>A leg and what is known about its foot from the frame before.</summary>
        [Serializable]
        public sealed class Leg
        {
            [Tooltip("Where the leg is attached.")]
            public Transform hip;
            [Tooltip("The knee.")]
            public Transform knee;
            [Tooltip("The ankle, on which the foot turns.")]
            public Transform ankle;

            /// <summary>Whether the foot stands on the ground.</summary>
            public bool Planted { get; internal set; }
            /// <summary>Where the ankle is brought to.</summary>
            public Vector3 Goal { get; internal set; }

            internal Vector3 animated, path, normal = Vector3.up, plant, plantNormal;
            internal Vector3 offset, drift;  // from where the foot should be, and its change a second
            internal Quaternion rotation;
            internal float lift, comfort;
            internal bool seen;
        }

        [Tooltip("The bone that carries the legs; it is lowered where a leg is too short for the ground.")]
        public Transform pelvis;
        public Leg[] legs = new Leg[0];
        [Tooltip("What counts as ground.")]
        public LayerMask ground = ~0;
        [Tooltip("Height of the ankle above the sole, metres.")]
        [Min(0f)] public float ankleHeight = 0.08f;
        [Tooltip("How far above and below the animated foot the ground is searched, metres.")]
        [Min(0.01f)] public float searchHeight = 0.6f;
        [Tooltip("A foot stands where its animated sole is lower than this above level ground, metres ...")]
        [Min(0.001f)] public float plantHeight = 0.02f;
        [Tooltip("... and slower than this, metres a second.")]
        [Min(0.01f)] public float plantSpeed = 0.4f;
        [Tooltip("A standing foot is released when the animation has moved this far from it, metres.")]
        [Min(0.01f)] public float releaseDistance = 0.25f;
        [Tooltip("Time in which a foot settles where it lands, and returns to its path when it is released, seconds.")]
        [Min(0.01f)] public float settleTime = 0.1f;
        [Tooltip("Time in which the pelvis follows the ground, seconds.")]
        [Min(0.01f)] public float pelvisTime = 0.08f;
        [Tooltip("Fraction of the leg's length from which on the pelvis is lowered.")]
        [Range(0.8f, 1f)] public float comfortableStretch = 0.93f;
        [Tooltip("Where the knees of straight legs go, in the frame of this transform.")]
        public Vector3 kneeDirection = Vector3.forward;
        [Tooltip("How far feet take the slope of the ground.")]
        [Range(0f, 1f)] public float alignWeight = 1f;
        [Tooltip("0: the animation as it is. 1: feet on the ground.")]
        [Range(0f, 1f)] public float weight = 1f;

        const float LongestStretch = 0.99f;
        float pelvisDrop, pelvisSpeed;

        void LateUpdate()
        {
            if (pelvis == null) return;
            foreach (Leg leg in legs) Place(leg);
            LowerPelvis();
            foreach (Leg leg in legs) Pose(leg);
        }

        /// <summary>Decides whether a foot stands, and where it goes.</summary>
        void Place(Leg leg)
        {
            float step = Time.deltaTime;
            leg.animated = leg.ankle.position;
            leg.rotation = leg.ankle.rotation;
            leg.lift = Mathf.Max(0f, leg.animated.y - transform.position.y - ankleHeight);
            if (leg.seen && step <= 0f) return;  // the game is paused: the foot stays where it is
            Vector3 path = Ground(leg.animated, out Vector3 normal);
            Vector3 speed = leg.seen ? (path - leg.path) * (1f / step) : Vector3.zero;
            if (!leg.seen) leg.path = path;
            bool stands = leg.lift < plantHeight && speed.magnitude < plantSpeed;
            if (leg.Planted && (!stands || (path - leg.plant).magnitude > releaseDistance))
            {
                leg.Planted = false;  // the foot stood while its path went on; from there it returns to it
                leg.offset += leg.plant - leg.path;
                leg.drift -= speed;
            }
            else if (!leg.Planted && stands)
            {
                leg.Planted = true;  // the foot moves with its path; from there it glides to rest
                Vector3 foot = leg.path + leg.offset;
                leg.plant = Ground(foot + 0.5f * settleTime * (leg.drift + speed), out leg.plantNormal);
                leg.offset = foot - leg.plant;
                leg.drift = (-2f / settleTime) * leg.offset;
            }
            if (step > 0f) leg.offset = Vector3.SmoothDamp(leg.offset, Vector3.zero, ref leg.drift, settleTime);
            // A standing foot comes down and leaves as the animation lifts it.
            leg.Goal = (leg.Planted ? leg.plant : path) + leg.offset + leg.lift * Vector3.up;
            float turn = leg.seen ? 1f - Mathf.Exp(-2f * step / settleTime) : 1f;
            leg.normal = Vector3.Slerp(leg.normal, leg.Planted ? leg.plantNormal : normal, turn);
            leg.path = path;
            leg.seen = true;
        }

        /// <summary>Where an ankle stands on the ground below or above a point.</summary>
        Vector3 Ground(Vector3 point, out Vector3 normal)
        {
            float height = transform.position.y;
            normal = Vector3.up;
            Vector3 from = point + searchHeight * Vector3.up;
            if (Physics.Raycast(from, Vector3.down, out RaycastHit hit, 2f * searchHeight, ground))
            {
                height = hit.point.y;
                normal = hit.normal;
            }
            float above = Mathf.Lerp(ankleHeight, ankleHeight / Mathf.Max(normal.y, 0.2f), alignWeight);
            return new Vector3(point.x, height + above, point.z);
        }

        /// <summary>Lowers the pelvis so that every leg reaches its goal: with delay where a leg is longer than is
        /// comfortable, and without delay, but as smoothly, where it would be straight.</summary>
        void LowerPelvis()
        {
            float wanted = 0f, more = 0f;
            foreach (Leg leg in legs)
            {
                leg.comfort = Mathf.Max(comfortableStretch, Stretch(leg, leg.animated, 0f));
                wanted = Together(wanted, Drop(leg, 0f, leg.comfort));
            }
            if (Time.deltaTime > 0f) pelvisDrop = Mathf.SmoothDamp(pelvisDrop, wanted, ref pelvisSpeed, pelvisTime);
            foreach (Leg leg in legs) more = Together(more, Drop(leg, pelvisDrop, Eased(leg)));
            pelvis.position += (pelvisDrop + more) * Vector3.down;
        }

        /// <summary>How far the pelvis, already lowered, must go down for a leg to reach with a stretch.</summary>
        float Drop(Leg leg, float lowered, float stretch)
        {
            Vector3 level = Way(leg, Target(leg), lowered);
            float down = -level.y, length = stretch * Length(leg);
            level.y = 0f;
            return Mathf.Max(0f, down - Mathf.Sqrt(Mathf.Max(0f, length * length - level.sqrMagnitude)));
        }

        /// <summary>The stretch to which the pelvis leaves a leg: eased above the comfortable one, below the longest.</summary>
        float Eased(Leg leg)
        {
            float over = Stretch(leg, Target(leg), pelvisDrop) - leg.comfort;
            float room = Mathf.Max(LongestStretch - leg.comfort, 1e-4f);
            return leg.comfort + (over <= 0f ? over : room * (1f - Mathf.Exp(-over / room)));
        }

        /// <summary>The distance of a point from the lowered hip, as a fraction of the leg's length.</summary>
        static float Stretch(Leg leg, Vector3 point, float lowered)
        {
            return Way(leg, point, lowered).magnitude / Length(leg);
        }

        static Vector3 Way(Leg leg, Vector3 point, float lowered)
        {
            return point - leg.hip.position + lowered * Vector3.up;
        }

        static float Length(Leg leg)
        {
            return (leg.knee.position - leg.hip.position).magnitude + (leg.animated - leg.knee.position).magnitude;
        }

        /// <summary>One drop of the pelvis for several legs: the larger, without a corner where another takes over.</summary>
        static float Together(float a, float b)
        {
            return Mathf.Sqrt(a * a + b * b);
        }

        Vector3 Target(Leg leg)
        {
            return Vector3.Lerp(leg.animated, leg.Goal, weight);
        }

        /// <summary>Bends a leg to its goal and turns its foot to the ground.</summary>
        void Pose(Leg leg)
        {
            // Where the leg is almost straight, the knee goes forward.
            float length = (leg.knee.position - leg.hip.position).magnitude;
            Vector3 forward = transform.TransformDirection(kneeDirection);
            Vector3 pole = BoneChain.Bend(leg.hip, leg.knee, leg.ankle) + 0.1f * length * forward;
            BoneChain.Reach(leg.hip, leg.knee, leg.ankle, Target(leg), pole, 1f, 1f);
            Quaternion slope = Quaternion.FromToRotation(Vector3.up, leg.normal);
            leg.ankle.rotation = Quaternion.Slerp(Quaternion.identity, slope, alignWeight * weight) * leg.rotation;
        }
    }
}
