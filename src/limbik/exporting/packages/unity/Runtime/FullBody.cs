using System;
using System.Collections.Generic;
using UnityEngine;

namespace Limbik
{
    /// <summary>
    /// Hands and feet at once: the pelvis moves as little as lets every end reach, and then each limb reaches. Ends
    /// without a target stay where the animation has them.
    /// </summary>
    [AddComponentMenu("Limbik/Full Body")]
    [DefaultExecutionOrder(105)]
    public sealed class FullBody : LimbComponent
    {
        /// <summary>A hand or a foot.</summary>
        [Serializable]
        public sealed class End
        {
            [Tooltip("Shoulder or hip.")]
            public Transform root;
            [Tooltip("Elbow or knee.")]
            public Transform middle;
            [Tooltip("Hand or foot.")]
            public Transform tip;
            [Tooltip("Where it goes. Without one it stays where the animation has it.")]
            public Transform target;
            [Tooltip("Elbow or knee lie on the side of this transform. Without one, the bend of the animation is kept.")]
            public Transform pole;
            [Tooltip("0: where the animation has it. 1: at the target.")]
            [Range(0f, 1f)] public float weight = 1f;
            [Tooltip("How far hand or foot take the rotation of the target.")]
            [Range(0f, 1f)] public float rotationWeight;

            internal readonly LimbReach reach = new LimbReach();
            internal Vector3 goal, way;  // of the tip; from the tip's goal to the limb's root before the pelvis moves
            internal Quaternion rotation;
            internal float length;
            internal Vector3 correction;

            /// <summary>How far the tip is from its goal.</summary>
            public float Residual { get { return reach.Solution.Residual; } }
        }

        [Tooltip("The bone that carries everything.")]
        public Transform pelvis;
        [Tooltip("Hands and feet. Default: those of the animator's humanoid avatar.")]
        public End[] ends = new End[0];
        [Tooltip("Fraction of its length to which the pelvis leaves a limb.")]
        [Range(0.5f, 1f)] public float stretch = 0.99f;

        const int Rounds = 32;

        void Reset() { Humanoid.Fill(this); }

        protected override void OnEnable()
        {
            if (pelvis == null && ends.Length == 0) Humanoid.Fill(this);
            base.OnEnable();
        }

        protected override int PlacedBones { get { return 1; } }

        protected override void NameBones(List<Transform> named)
        {
            named.Add(pelvis);
            for (int k = 0; k < ends.Length; k++)
            {
                named.Add(ends[k].root);
                named.Add(ends[k].middle);
                named.Add(ends[k].tip);
            }
        }

        protected override void Prepare()
        {
            foreach (End end in ends) end.reach.ForgetRig();
        }

        public override void Forget()
        {
            foreach (End end in ends) end.reach.Forget();
        }

        protected override void Pose(float seconds)
        {
            foreach (End end in ends)
            {
                Vector3 root = end.root.position, middle = end.middle.position, tip = end.tip.position;
                end.length = (middle - root).magnitude + (tip - middle).magnitude;
                end.goal = end.target != null ? Vector3.Lerp(tip, end.target.position, end.weight) : tip;
                end.rotation = end.tip.rotation;
                if (end.target != null)
                    end.rotation = Quaternion.Slerp(end.rotation, end.target.rotation, end.weight * end.rotationWeight);
                end.way = root - end.goal;
                // What the animation itself stretches further is not the pelvis's to mend.
                end.length *= Mathf.Max(stretch, (tip - root).magnitude / end.length);
            }
            pelvis.position += Shift();
            foreach (End end in ends)
            {
                Vector3 side = end.pole != null ? end.pole.position - end.root.position : Vector3.zero;
                end.reach.Reach(end.root, end.middle, end.tip, end.goal, side, transform.forward, 1f, seconds);
                end.tip.rotation = end.rotation;
            }
        }

        /// <summary>The smallest shift that brings every root within reach of its goal: projections onto balls in turn,
        /// each corrected by what it did the round before (Dykstra). Where they have no point in common, a compromise.</summary>
        Vector3 Shift()
        {
            Vector3 shift = Vector3.zero;
            foreach (End end in ends) end.correction = Vector3.zero;
            for (int round = 0; round < Rounds; round++)
            {
                bool moved = false;
                foreach (End end in ends)
                {
                    Vector3 from = shift + end.correction, way = end.way + from;
                    float distance = way.magnitude;
                    Vector3 to = distance > end.length ? from - (1f - end.length / distance) * way : from;
                    end.correction = from - to;
                    moved |= (to - shift).sqrMagnitude > 1e-14f * end.length * end.length;
                    shift = to;
                }
                if (!moved) break;
            }
            return shift;
        }
    }
}
