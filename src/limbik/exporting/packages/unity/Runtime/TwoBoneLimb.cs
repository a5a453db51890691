using System.Collections.Generic;
using UnityEngine;

namespace Limbik
{
    /// <summary>An arm or a leg of two bones that reaches for a target, after the animation.</summary>
    [AddComponentMenu("Limbik/Two Bone Limb")]
    [DefaultExecutionOrder(110)]
    public sealed class TwoBoneLimb : LimbComponent
    {
        [Tooltip("Where the limb is attached: shoulder or hip.")]
        public Transform root;
        [Tooltip("Elbow or knee.")]
        public Transform middle;
        [Tooltip("Wrist or ankle: what is brought to the target.")]
        public Transform tip;
        [Tooltip("Where the tip goes.")]
        public Transform target;
        [Tooltip("The middle joint lies on the side of this transform. Without one, the bend of the animation is kept.")]
        public Transform pole;
        [Tooltip("How far the tip bone takes the rotation of the target.")]
        [Range(0f, 1f)] public float rotationWeight;
        [Tooltip("Fraction of the limb's length at which reaching begins to ease towards full stretch. 1: exact to the end.")]
        [Range(0.5f, 1f)] public float softReach = 1f;

        readonly LimbReach reach = new LimbReach();

        /// <summary>What became of the last target: status, residual, joints relative to the world.</summary>
        public TwoLink.Solution Solution { get { return reach.Solution; } }

        void Reset() { Humanoid.Fill(this); }

        protected override bool Wanted { get { return target != null; } }

        protected override void NameBones(List<Transform> named)
        {
            named.Add(root);
            named.Add(middle);
            named.Add(tip);
        }

        protected override void Prepare() { reach.ForgetRig(); }

        public override void Forget() { reach.Forget(); }

        protected override void Pose(float seconds)
        {
            Vector3 side = pole != null ? pole.position - root.position : Vector3.zero;
            reach.Reach(root, middle, tip, target.position, side, transform.forward, softReach, seconds);
            if (reach.Solution.Status != TwoLink.Status.Invalid)
                tip.rotation = Quaternion.Slerp(tip.rotation, target.rotation, rotationWeight);
        }
    }
}
