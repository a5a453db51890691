using System.Collections.Generic;
using UnityEngine;

namespace Limbik
{
    /// <summary>A chain of 2 to 8 bones, such as a tail, a trunk or a spine, that reaches for a target along an arc.</summary>
    [AddComponentMenu("Limbik/Bone Chain")]
    [DefaultExecutionOrder(110)]
    public sealed class BoneChain : LimbComponent
    {
        [Tooltip("The joints from root to tip: two to eight bones, so three to nine joints.")]
        public Transform[] joints = new Transform[0];
        [Tooltip("Where the last joint goes.")]
        public Transform target;
        [Tooltip("The chain is bent to the side of this transform. Without one, the bend of the animation is kept.")]
        public Transform pole;
        [Tooltip("How far the last joint takes the rotation of the target.")]
        [Range(0f, 1f)] public float rotationWeight;

        readonly float[] lengths = new float[Chains.MostLinks];
        readonly Quaternion[] links = new Quaternion[Chains.MostLinks];
        BendPlane plane;
        Vector3 usualSide;  // in the first bone's frame

        /// <summary>How far the tip is from the target.</summary>
        public float Residual { get; private set; }

        protected override bool Wanted
        {
            get { return target != null; }
        }

        protected override string Refusal
        {
            get
            {
                if (joints.Length > 2 && joints.Length <= Chains.MostLinks + 1) return null;
                return joints.Length + " joints are set; a chain has 3 to " + (Chains.MostLinks + 1);
            }
        }

        protected override void NameBones(List<Transform> named)
        {
            for (int k = 0; k < joints.Length; k++) named.Add(joints[k]);
        }

        protected override void Prepare()
        {
            Vector3 side = Side(out Vector3 chord);
            if (side.magnitude < 0.01f * chord.magnitude) side = Vector3.ProjectOnPlane(transform.up, chord);
            if (side.magnitude < 1e-6f) side = Vector3.ProjectOnPlane(transform.forward, chord);
            usualSide = Quaternion.Inverse(joints[0].rotation) * side.normalized;
        }

        public override void Forget() { plane.Forget(); }

        protected override void Pose(float seconds)
        {
            int count = joints.Length - 1;
            Vector3 origin = joints[0].position, way = target.position - origin;
            for (int k = 0; k < count; k++) lengths[k] = (joints[k + 1].position - joints[k].position).magnitude;
            Vector3 bent = Side(out Vector3 chord) + 0.02f * chord.magnitude * (joints[0].rotation * usualSide);
            Vector3 side = pole != null ? pole.position - origin : Quaternion.FromToRotation(chord, way) * bent;
            float along = Vector3.Dot(chord.normalized, way.normalized);
            float certain = pole != null ? 0f : Mathf.InverseLerp(-0.9f, -0.2f, along);
            Quaternion frame = joints[0].parent != null ? joints[0].parent.rotation : Quaternion.identity;
            side = plane.Side(way, side, frame, certain, seconds);
            Chains.Solve(lengths, count, target.position, side, origin, links);
            if (float.IsNaN(links[0].w)) return;
            // The links of the pose that the bones are in, turned from their line without a twist.
            Quaternion line = Quaternion.LookRotation(chord, bent), tipRotation = joints[count].rotation;
            for (int k = 0; k < count; k++)
                links[k] = links[k] * Quaternion.Inverse(
                    Quaternion.FromToRotation(chord, joints[k + 1].position - joints[k].position) * line)
                    * joints[k].rotation;
            for (int k = 0; k < count; k++) joints[k].rotation = links[k];
            joints[count].rotation = Quaternion.Slerp(tipRotation, target.rotation, rotationWeight);
            Residual = (joints[count].position - target.position).magnitude;
        }

        /// <summary>How far, and to which side, the joints lie from the line between the ends.</summary>
        Vector3 Side(out Vector3 chord)
        {
            Vector3 sum = Vector3.zero, origin = joints[0].position;
            int last = joints.Length - 1;
            chord = joints[last].position - origin;
            for (int k = 1; k < last; k++) sum += Vector3.ProjectOnPlane(joints[k].position - origin, chord);
            return sum / Mathf.Max(last - 1, 1);
        }
    }
}
