using System;
using System.Collections.Generic;
using UnityEngine;

namespace Limbik
{
    /// <summary>
    /// Keeps the feet of an animated character on the ground: on slopes, stairs and rubble they neither float nor sink,
    /// and a foot that stands stays where it is. The animation is that of a walk on level ground; the level is the plane
    /// through this transform across its up axis. Distances are fractions of a leg's length: they fit any scale.
    /// </summary>
    [AddComponentMenu("Limbik/Foot Placement")]
    [DefaultExecutionOrder(100)]
    public sealed partial class FootPlacement : LimbComponent
    {
        [Tooltip("The bone that carries the legs; it is lowered where a leg is too short for the ground.")]
        public Transform pelvis;
        [Tooltip("The legs. Default: those of the animator's humanoid avatar.")]
        public Leg[] legs = new Leg[0];
        [Tooltip("What counts as ground. Triggers and the character's own colliders never do.")]
        public LayerMask ground = ~0;
        [Tooltip("How far above and below the level ground is searched, in leg's lengths.")]
        [Range(0.05f, 1f)] public float searchHeight = 0.5f;
        [Tooltip("The character is in the air where ground is farther below it than this, in leg's lengths.")]
        [Range(0.01f, 0.5f)] public float airHeight = 0.1f;
        [Tooltip("A foot stands where its animated sole is lower than this above level ground, in leg's lengths ...")]
        [Range(0.001f, 0.1f)] public float plantHeight = 0.03f;
        [Tooltip("... and slower than this, in leg's lengths a second.")]
        [Range(0.01f, 2f)] public float plantSpeed = 0.5f;
        [Tooltip("A standing foot is released when the animation has moved this far from it, in leg's lengths.")]
        [Range(0.01f, 1f)] public float releaseDistance = 0.25f;
        [Tooltip("A standing foot is released when the animation has turned this far from it, degrees.")]
        [Range(1f, 180f)] public float releaseAngle = 60f;
        [Tooltip("Largest slope that a foot takes, degrees.")]
        [Range(0f, 89f)] public float maxSlope = 45f;
        [Tooltip("Time in which a foot settles where it lands, and returns to its path when it is released, seconds.")]
        [Min(0.01f)] public float settleTime = 0.08f;
        [Tooltip("Time in which the pelvis follows the ground, seconds.")]
        [Min(0.01f)] public float pelvisTime = 0.08f;
        [Tooltip("The pelvis is lowered at most so far, in leg's lengths.")]
        [Range(0f, 1f)] public float maxPelvisDrop = 0.5f;
        [Tooltip("Fraction of the leg's length from which on the pelvis is lowered.")]
        [Range(0.8f, 1f)] public float comfortableStretch = 0.93f;
        [Tooltip("How far feet take the slope of the ground.")]
        [Range(0f, 1f)] public float alignWeight = 1f;

        const float LongestStretch = 0.995f;
        Teleports teleports;
        Transform self;
        float legLength, pelvisDrop, pelvisSpeed;
        bool begun, eases;  // whether the first frame is the animation's, from which feet ease to the ground

        /// <summary>Whether the character is in the air, where feet are the animation's.</summary>
        public bool InAir { get; private set; }

        void Reset() { Humanoid.Fill(this); }

        protected override void OnEnable()
        {
            if (pelvis == null && legs.Length == 0) Humanoid.Fill(this);
            base.OnEnable();
        }

        protected override int PlacedBones { get { return 1; } }

        protected override void NameBones(List<Transform> named)
        {
            named.Add(pelvis);
            for (int k = 0; k < legs.Length; k++)
            {
                named.Add(legs[k].hip);
                named.Add(legs[k].knee);
                named.Add(legs[k].ankle);
            }
        }

        protected override void Prepare()
        {
            self = GroundProbe.Owner(this);
            legLength = 0f;
            foreach (Leg leg in legs)
            {
                leg.length = (leg.knee.position - leg.hip.position).magnitude
                    + (leg.ankle.position - leg.knee.position).magnitude;
                legLength = Mathf.Max(legLength, leg.length);
                leg.shape = FootShape.Measure(leg, transform);
                leg.reach.ForgetRig();
            }
        }

        public override void Forget()
        {
            begun = false;
            eases = true;
            teleports.Forget();
            foreach (Leg leg in legs) leg.reach.Forget();
        }

        protected override void Pose(float seconds)
        {
            if (teleports.Happened(transform, legLength, seconds)) begun = eases = false;
            Vector3 up = transform.up, level = transform.position;
            foreach (Leg leg in legs)
            {
                leg.See(up, level, begun, seconds);
                leg.Probe(this, up, level);
            }
            InAir = FindAir(up, level);
            foreach (Leg leg in legs) leg.Step(this, up, begun, eases, seconds);
            LowerPelvis(up, seconds);
            foreach (Leg leg in legs) PoseLeg(leg, seconds);
            begun = true;
        }

        /// <summary>Whether there is no ground near the level: below the body, or below any foot.</summary>
        bool FindAir(Vector3 up, Vector3 level)
        {
            Ground below = Cast(level, up);
            float highest = below.Found ? Vector3.Dot(below.Point - level, up) : float.NegativeInfinity;
            foreach (Leg leg in legs) if (leg.found) highest = Mathf.Max(highest, leg.groundHeight);
            return highest < -airHeight * legLength;
        }

        Ground Cast(Vector3 point, Vector3 up)
        {
            float search = searchHeight * legLength;
            return GroundProbe.Cast(point + search * up, -up, 2f * search, ground, self);
        }

        /// <summary>Lowers the pelvis so that every leg reaches its goal: with delay where a leg is longer than is
        /// comfortable, and without delay, but as smoothly, where it would be straight.</summary>
        void LowerPelvis(Vector3 up, float seconds)
        {
            float wanted = 0f, more = 0f;
            foreach (Leg leg in legs)
            {
                leg.comfort = Mathf.Max(comfortableStretch, Stretch(leg, leg.animatedAnkle, up, 0f));
                wanted = Together(wanted, Drop(leg, up, 0f, leg.comfort));
            }
            wanted = Mathf.Min(wanted, maxPelvisDrop * legLength);
            float gap = pelvisDrop - wanted;
            if (!begun)
            {
                gap = eases ? -wanted : 0f;
                pelvisSpeed = 0f;
                seconds = 0f;
            }
            Springs.Close(ref gap, ref pelvisSpeed, 2f / pelvisTime, seconds);
            pelvisDrop = wanted + gap;
            foreach (Leg leg in legs) more = Together(more, Drop(leg, up, pelvisDrop, Eased(leg, up)));
            float drop = Mathf.Min(pelvisDrop + more, maxPelvisDrop * legLength);
            pelvis.position -= drop * up;
        }

        /// <summary>How far the pelvis, already lowered, must go down for a leg to reach with a stretch.</summary>
        static float Drop(Leg leg, Vector3 up, float lowered, float stretch)
        {
            Vector3 way = leg.Goal - leg.hip.position + lowered * up;
            float down = -Vector3.Dot(way, up), length = stretch * leg.length;
            float level = (way + down * up).sqrMagnitude;
            return Mathf.Max(0f, down - Mathf.Sqrt(Mathf.Max(0f, length * length - level)));
        }

        /// <summary>The stretch to which the pelvis leaves a leg: eased above the comfortable one, below the longest.</summary>
        float Eased(Leg leg, Vector3 up)
        {
            float over = Stretch(leg, leg.Goal, up, pelvisDrop) - leg.comfort;
            float room = Mathf.Max(LongestStretch - leg.comfort, 1e-4f);
            return leg.comfort + (over <= 0f ? over : room * (1f - Mathf.Exp(-over / room)));
        }

        /// <summary>The distance of a point from the lowered hip, as a fraction of the leg's length.</summary>
        static float Stretch(Leg leg, Vector3 point, Vector3 up, float lowered)
        {
            return (point - leg.hip.position + lowered * up).magnitude / leg.length;
        }

        /// <summary>One drop of the pelvis for several legs: the larger, without a corner where another takes over.</summary>
        static float Together(float a, float b)
        {
            return Mathf.Sqrt(a * a + b * b);
        }

        /// <summary>Bends a leg to its goal and turns its foot to the ground.</summary>
        void PoseLeg(Leg leg, float seconds)
        {
            leg.reach.Reach(leg.hip, leg.knee, leg.ankle, leg.Goal, Vector3.zero, transform.forward, 1f, seconds);
            leg.ankle.rotation = leg.goalRotation;
        }
    }
}
