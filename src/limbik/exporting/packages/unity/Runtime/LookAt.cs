using UnityEngine;

namespace Limbik
{
    /// <summary>A head, an eye or a turret that looks at a target, turned as little as possible and kept upright.</summary>
    [AddComponentMenu("Limbik/Look At")]
    [DefaultExecutionOrder(120)]
    public sealed class LookAt : MonoBehaviour
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
        [Tooltip("0: the animation as it is. 1: the bone looks at the target.")]
        [Range(0f, 1f)] public float weight = 1f;

        void LateUpdate()
        {
            if (target == null) return;
            Transform joint = bone != null ? bone : transform;
            var looking = Aim.Look(
                joint.rotation, joint.position, target.position, axis, upAxis, Vector3.up, maxAngle * Mathf.Deg2Rad);
            joint.rotation = Quaternion.Slerp(joint.rotation, looking.Rotation, weight);
        }
    }
}
