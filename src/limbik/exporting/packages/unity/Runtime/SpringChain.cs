using System.Collections.Generic;
using UnityEngine;

namespace Limbik
{
    /// <summary>
    /// Tails, ears, hair and capes that sway: the far end of each bone hangs on a damped spring from where the animation
    /// has it, and the bone points to it.
    /// </summary>
    [AddComponentMenu("Limbik/Spring Chain")]
    [DefaultExecutionOrder(130)]
    public sealed class SpringChain : LimbComponent
    {
        [Tooltip("The bones from root to tip. The last one ends at its first child, if it has one.")]
        public Transform[] bones = new Transform[0];
        [Tooltip("How often the chain swings by itself, hertz.")]
        [Min(0.01f)] public float frequency = 2f;
        [Tooltip("0: it swings for ever. 1: it comes to rest without swinging.")]
        [Min(0f)] public float damping = 0.4f;
        [Tooltip("Largest turn of a bone, degrees.")]
        [Range(1f, 180f)] public float maxAngle = 60f;

        Vector3[] ends = new Vector3[0], velocities, lags, speeds;
        Vector3 tipOffset;  // of the last bone's end, in its frame
        float length;
        bool begun;
        Teleports teleports;

        protected override void NameBones(List<Transform> named)
        {
            for (int k = 0; k < bones.Length; k++) named.Add(bones[k]);
        }

        protected override void Prepare()
        {
            int count = bones.Length;
            ends = new Vector3[count];
            velocities = new Vector3[count];
            lags = new Vector3[count];
            speeds = new Vector3[count];
            Transform last = bones[count - 1];
            if (last.childCount > 0) tipOffset = last.GetChild(0).localPosition;
            else if (count > 1) tipOffset = last.localPosition;  // as the bone before goes on
            else tipOffset = 0.1f * Vector3.up;
            length = (last.TransformPoint(tipOffset) - bones[0].position).magnitude;
        }

        public override void Forget()
        {
            begun = false;
            teleports.Forget();
        }

        Vector3 End(int k)
        {
            return k + 1 < bones.Length ? bones[k + 1].position : bones[k].TransformPoint(tipOffset);
        }

        protected override void Pose(float seconds)
        {
            if (teleports.Happened(bones[0], 2f * length, seconds)) begun = false;
            Swing(seconds);
            for (int k = 0; k < bones.Length; k++)  // from the root on: each bone carries the next
            {
                Vector3 from = bones[k].position, bone = End(k) - from;
                Quaternion turn = Quaternion.FromToRotation(bone, ends[k] + lags[k] - from);
                turn.ToAngleAxis(out float angle, out Vector3 axis);
                float most = maxAngle * Tanh(angle / maxAngle);
                bones[k].rotation = Quaternion.AngleAxis(most, axis) * bones[k].rotation;
            }
        }

        /// <summary>Between frames an end is drawn along a line, for which the motion of a spring is known.</summary>
        void Swing(float seconds)
        {
            Vector4 step = Springs.Swing(2f * Mathf.PI * frequency, damping, seconds);
            for (int k = 0; k < bones.Length; k++)
            {
                Vector3 end = End(k);
                if (!begun)
                {
                    velocities[k] = lags[k] = speeds[k] = Vector3.zero;
                }
                else if (seconds > 0f)
                {
                    Vector3 velocity = (end - ends[k]) / seconds, lag = lags[k];
                    speeds[k] -= velocity - velocities[k];
                    velocities[k] = velocity;
                    lags[k] = step.x * lag + step.y * speeds[k];
                    speeds[k] = step.z * lag + step.w * speeds[k];
                }
                ends[k] = end;
            }
            begun = true;
        }

        static float Tanh(float x)
        {
            float e = Mathf.Exp(-2f * x);
            return (1f - e) / (1f + e);
        }
    }
}
