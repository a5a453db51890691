using System.Collections.Generic;
using UnityEngine;

namespace Limbik
{
    /// <summary>
    /// What the components have in common. They pose bones in LateUpdate, after the animator, from the pose that the
    /// animation gave; at weight 0 they leave it as it is, bit by bit.
    /// </summary>
    public abstract class LimbComponent : MonoBehaviour
    {
        [Tooltip("0: the animation as it is. 1: the component's pose. Between them rotations are blended.")]
        [Range(0f, 1f)] public float weight = 1f;

        readonly List<Transform> named = new List<Transform>(), held = new List<Transform>();
        readonly List<Bone> bones = new List<Bone>();
        Vector3 scale;
        string problem;

        /// <summary>Why the component does nothing; null if it works.</summary>
        public string Problem { get { return problem; } }

        /// <summary>Names the bones that are posed, from root to tip; null for one that is not set.</summary>
        protected abstract void NameBones(List<Transform> named);

        /// <summary>Poses the bones, as if the weight were 1.</summary>
        protected abstract void Pose(float seconds);

        /// <summary>How many of the bones, from the first on, are moved besides being turned.</summary>
        protected virtual int PlacedBones { get { return 0; } }

        /// <summary>Whether there is something to do.</summary>
        protected virtual bool Wanted { get { return true; } }

        /// <summary>What is wrong with the bones, where they are set; null: nothing.</summary>
        protected virtual string Refusal { get { return null; } }

        /// <summary>Once for each set of bones, in the animation's pose.</summary>
        protected virtual void Prepare() { }

        /// <summary>Begins anew: after a teleport, a respawn, or while the component was disabled.</summary>
        public virtual void Forget() { }

        // Where the bones are known already, they are seen as they were imported, before the animator poses them.
        protected virtual void OnEnable()
        {
            Forget();
            named.Clear();
            NameBones(named);
            for (int k = 0; k < named.Count; k++) if (named[k] == null) return;
            if (named.Count > 0) Holds();
        }

        protected virtual void OnDisable() { LetGo(); }

        protected void LateUpdate()
        {
            if (!Holds()) return;
            for (int k = 0; k < bones.Count; k++) bones[k].Begin();
            if (weight > 0f && Wanted) Work();
            else Forget();
        }

        void Work()
        {
            Pose(Time.deltaTime);
            for (int k = 0; k < bones.Count; k++) bones[k].End(weight, k < PlacedBones);
        }

        /// <summary>Whether the bones are there and can be posed. They may be assigned, and destroyed, at any time.</summary>
        bool Holds()
        {
            named.Clear();
            NameBones(named);
            bool same = named.Count == held.Count && bones.Count == held.Count;
            for (int k = 0; same && k < named.Count; k++)
                same = named[k] != null && ReferenceEquals(named[k], held[k]);
            if (same && scale.Equals(held[0].lossyScale)) return true;
            if (bones.Count == 0 && problem != null && Unchanged()) return false;
            LetGo();
            held.AddRange(named);
            Tell(FindProblem());
            if (problem != null) return false;
            for (int k = 0; k < held.Count; k++) bones.Add(Bone.Acquire(held[k]));
            for (int k = 0; k < held.Count; k++) bones[k].Begin();
            scale = held[0].lossyScale;
            Prepare();
            Forget();
            return true;
        }

        bool Unchanged()
        {
            if (named.Count != held.Count) return false;
            for (int k = 0; k < named.Count; k++) if (!ReferenceEquals(named[k], held[k])) return false;
            return held.Count == 0 || held[0] == null || scale.Equals(held[0].lossyScale);
        }

        string FindProblem()
        {
            if (held.Count == 0) return "no bones are set";
            if (Refusal != null) return Refusal;
            for (int k = 0; k < held.Count; k++) if (held[k] == null) return "bone " + (k + 1) + " is not set";
            scale = held[0].lossyScale;
            for (int k = 0; k < held.Count; k++)
                for (Transform at = held[k]; at != null; at = at.parent)
                    if (!IsUniform(at.localScale)) return "the scale of " + at.name + " differs along its axes or is "
                        + "not positive, so that bones change their lengths as they turn: make it uniform";
            return null;
        }

        static bool IsUniform(Vector3 scale)
        {
            float most = Mathf.Max(scale.x, Mathf.Max(scale.y, scale.z));
            float least = Mathf.Min(scale.x, Mathf.Min(scale.y, scale.z));
            return least > 0f && most - least < 0.001f * most;
        }

        /// <summary>Says once why nothing happens.</summary>
        void Tell(string found)
        {
            if (found != null && found != problem) Debug.LogWarning(GetType().Name + ": " + found + ".", this);
            problem = found;
        }

        void LetGo()
        {
            for (int k = 0; k < bones.Count; k++) bones[k].Release();
            bones.Clear();
            held.Clear();
        }
    }
}
