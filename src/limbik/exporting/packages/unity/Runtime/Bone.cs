using System.Collections.Generic;
using UnityEngine;

namespace Limbik
{
    /// <summary>
    /// A bone, and the pose that the animation gave it. Components that share a bone share this memory. Where nothing
    /// has written the bone since a component did (the animator is culled, runs in FixedUpdate, or does not key it),
    /// the next frame starts from the animation's pose again: nothing creeps.
    /// </summary>
    sealed class Bone
    {
        static readonly Dictionary<Transform, Bone> Known = new Dictionary<Transform, Bone>();

        public readonly Transform Transform;
        int users, frame = -1;
        bool turned, moved;
        Quaternion animatedRotation, writtenRotation, startRotation;
        Vector3 animatedPosition, writtenPosition, startPosition;

        Bone(Transform transform) { Transform = transform; }

        public static Bone Acquire(Transform transform)
        {
            if (!Known.TryGetValue(transform, out Bone bone)) Known[transform] = bone = new Bone(transform);
            bone.users++;
            return bone;
        }

        /// <summary>The last component that lets go of a bone gives it back to the animation.</summary>
        public void Release()
        {
            if (--users > 0) return;
            Known.Remove(Transform);
            if (Transform != null) Restore();
        }

        /// <summary>Before a component poses the bone.</summary>
        public void Begin()
        {
            if (frame != Time.frameCount)
            {
                Restore();
                frame = Time.frameCount;
                animatedRotation = Transform.localRotation;
                animatedPosition = Transform.localPosition;
            }
            startRotation = Transform.localRotation;
            startPosition = Transform.localPosition;
        }

        /// <summary>After a component has posed it: blends the rotation, and the place if the component moves it.</summary>
        public void End(float weight, bool places)
        {
            if (weight < 1f)
                Transform.localRotation = Quaternion.Slerp(startRotation, Transform.localRotation, weight);
            writtenRotation = Transform.localRotation;
            turned = true;
            if (!places) return;
            if (weight < 1f)
                Transform.localPosition = Vector3.Lerp(startPosition, Transform.localPosition, weight);
            writtenPosition = Transform.localPosition;
            moved = true;
        }

        // Bit by bit: Unity's own == of vectors and quaternions allows for small differences.
        void Restore()
        {
            if (turned && Transform.localRotation.Equals(writtenRotation)) Transform.localRotation = animatedRotation;
            if (moved && Transform.localPosition.Equals(writtenPosition)) Transform.localPosition = animatedPosition;
            turned = moved = false;
        }
    }
}
