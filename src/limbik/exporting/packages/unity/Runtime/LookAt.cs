using System.Collections.Generic;
using UnityEngine;

namespace Limbik
{
    /// <summary>A head, an eye or a turret that looks at a target, turned as little as possible and kept upright.</summary>
    [AddComponentMenu("Limbik/Look At")]
    [DefaultExecutionOrder(120)]
    public sealed class LookAt : LimbComponent
    {
        [Tooltip("The bone that looks. Default: this transform.")]
        public Transform bone;
        [Tooltip("What it looks at.")]
        public Transform target;
        [Tooltip("Direction in which the bone looks, in its own frame.")]
        public Vector3 axis = Vector3.forward;
        [Tooltip("Direction that stays up, in the bone's own frame.")]
        public Vector3 upAxis = Vector3.up;
        [Tooltip("Largest turn from the animation, degrees.")]
        [Range(0f, 180f)] public float maxAngle = 80f;
        [Tooltip("Largest turning rate, degrees a second: where the target passes behind, the bone turns back this fast.")]
        [Min(1f)] public float maxSpeed = 360f;

        Quaternion turn = Quaternion.identity;  // from the animation's rotation, in the parent's frame

        Transform Joint { get { return bone != null ? bone : transform; } }

        void Reset() { Humanoid.Fill(this); }

        protected override bool Wanted { get { return target != null; } }

        protected override void NameBones(List<Transform> named) { named.Add(Joint); }

        public override void Forget() { turn = Quaternion.identity; }

        protected override void Pose(float seconds)
        {
            Transform joint = Joint;
            Quaternion animated = joint.rotation;
            Quaternion frame = joint.parent != null ? joint.parent.rotation : Quaternion.identity;
            var looking = Aim.Look(
                animated, joint.position, target.position, axis, upAxis, Vector3.up, maxAngle * Mathf.Deg2Rad);
            Quaternion wanted = (Quaternion)looking.Rotation * Quaternion.Inverse(animated);
            if (!float.IsNaN(wanted.w))
            {
                wanted = Quaternion.Inverse(frame) * wanted * frame;
                // By the shorter way between the two turns: from one shoulder to the other past the front.
                turn = Quaternion.RotateTowards(turn, wanted, maxSpeed * seconds);
            }
            joint.rotation = frame * turn * Quaternion.Inverse(frame) * animated;
        }
    }
}
