using System.Collections.Generic;
using UnityEngine;

namespace Limbik
{
    /// <summary>A leg of three bones: the tip reaches a target, and the foot points where it should.</summary>
    [AddComponentMenu("Limbik/Three Bone Leg")]
    [DefaultExecutionOrder(110)]
    public sealed class ThreeBoneLeg : LimbComponent
    {
        [Tooltip("Where the leg is attached: the hip.")]
        public Transform root;
        [Tooltip("The knee.")]
        public Transform middle;
        [Tooltip("The ankle: the last bone begins here.")]
        public Transform ankle;
        [Tooltip("Toes or paw: what is brought to the target.")]
        public Transform tip;
        [Tooltip("Where the tip goes; its forward axis (blue) is the direction of the foot, from ankle to tip.")]
        public Transform target;
        [Tooltip("The knee lies on the side of this transform. Without one, the bend of the animation is kept.")]
        public Transform pole;

        readonly LimbReach reach = new LimbReach();

        /// <summary>What became of the last target of the ankle.</summary>
        public TwoLink.Solution Solution { get { return reach.Solution; } }

        protected override bool Wanted { get { return target != null; } }

        protected override void NameBones(List<Transform> named)
        {
            named.Add(root);
            named.Add(middle);
            named.Add(ankle);
            named.Add(tip);
        }

        protected override void Prepare() { reach.ForgetRig(); }

        public override void Forget() { reach.Forget(); }

        protected override void Pose(float seconds)
        {
            // The foot's direction says where the ankle has to be: two links remain.
            Vector3 foot = tip.position - ankle.position, wanted = foot.magnitude * target.forward;
            Vector3 side = pole != null ? pole.position - root.position : Vector3.zero;
            Quaternion tipRotation = tip.rotation;
            reach.Reach(root, middle, ankle, target.position - wanted, side, transform.forward, 1f, seconds);
            if (reach.Solution.Status == TwoLink.Status.Invalid) return;
            ankle.rotation = Quaternion.FromToRotation(foot, wanted) * ankle.rotation;
            tip.rotation = tipRotation;
        }
    }
}
