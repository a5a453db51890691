using UnityEngine;

namespace Limbik
{
    /// <summary>A leg of three bones: the tip reaches a target, and the foot points where it should.</summary>
    [AddComponentMenu("Limbik/Three Bone Leg")]
    [DefaultExecutionOrder(110)]
    public sealed class ThreeBoneLeg : MonoBehaviour
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
        [Tooltip("0: the animation as it is. 1: the tip is at the target.")]
        [Range(0f, 1f)] public float weight = 1f;

        /// <summary>What became of the last target: status, residual, joints.</summary>
        public ThreeLink.Solution Solution { get; private set; }

        void LateUpdate()
        {
            if (root == null || middle == null || ankle == null || tip == null || target == null) return;
            Vector3 side = pole != null ? pole.position - root.position : BoneChain.Bend(root, middle, ankle);
            Solution = BoneChain.Reach(root, middle, ankle, tip, target.position, target.forward, side, weight);
        }
    }
}
