using UnityEngine;

namespace Limbik
{
    /// <summary>An arm or a leg of two bones that reaches for a target, after the animation.</summary>
    [AddComponentMenu("Limbik/Two Bone Limb")]
    [DefaultExecutionOrder(110)]
    public sealed class TwoBoneLimb : MonoBehaviour
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
        [Tooltip("0: the animation as it is. 1: the tip is at the target.")]
        [Range(0f, 1f)] public float weight = 1f;
        [Tooltip("How far the tip bone takes the rotation of the target.")]
        [Range(0f, 1f)] public float rotationWeight;
        [Tooltip("Fraction of the limb's length at which reaching begins to ease towards full stretch. 1: exact to the end.")]
        [Range(0.5f, 1f)] public float softReach = 1f;

        /// <summary>What became of the last target: status, residual, joints.</summary>
        public TwoLink.Solution Solution { get; private set; }

        void LateUpdate()
        {
            if (root == null || middle == null || tip == null || target == null) return;
            Vector3 side = pole != null ? pole.position - root.position : BoneChain.Bend(root, middle, tip);
            Solution = BoneChain.Reach(root, middle, tip, target.position, side, softReach, weight);
            tip.rotation = Quaternion.Slerp(tip.rotation, target.rotation, rotationWeight * weight);
        }
    }
}
