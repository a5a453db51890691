using UnityEngine;

namespace Limbik
{
    /// <summary>Fills components by the bones of a humanoid avatar.</summary>
    public static class Humanoid
    {
        /// <summary>The animator of a component's character, if its avatar is humanoid.</summary>
        static Animator Find(Component component)
        {
            var animator = component.GetComponentInParent<Animator>();
            if (animator == null) animator = component.GetComponentInChildren<Animator>();
            return animator != null && animator.isHuman ? animator : null;
        }

        /// <summary>Pelvis and legs. Without a humanoid avatar nothing changes.</summary>
        public static bool Fill(FootPlacement feet)
        {
            Animator animator = Find(feet);
            if (animator == null) return false;
            feet.pelvis = animator.GetBoneTransform(HumanBodyBones.Hips);
            feet.legs = new[] { Leg(animator, true), Leg(animator, false) };
            return true;
        }

        static FootPlacement.Leg Leg(Animator animator, bool left)
        {
            return new FootPlacement.Leg
            {
                hip = animator.GetBoneTransform(left ? HumanBodyBones.LeftUpperLeg : HumanBodyBones.RightUpperLeg),
                knee = animator.GetBoneTransform(left ? HumanBodyBones.LeftLowerLeg : HumanBodyBones.RightLowerLeg),
                ankle = animator.GetBoneTransform(left ? HumanBodyBones.LeftFoot : HumanBodyBones.RightFoot),
                toes = animator.GetBoneTransform(left ? HumanBodyBones.LeftToes : HumanBodyBones.RightToes),
            };
        }

        /// <summary>Pelvis, hands and feet, each end with a target to be set.</summary>
        public static bool Fill(FullBody body)
        {
            Animator animator = Find(body);
            if (animator == null) return false;
            body.pelvis = animator.GetBoneTransform(HumanBodyBones.Hips);
            body.ends = new[]
            {
                End(animator, HumanBodyBones.LeftUpperArm, HumanBodyBones.LeftLowerArm, HumanBodyBones.LeftHand),
                End(animator, HumanBodyBones.RightUpperArm, HumanBodyBones.RightLowerArm, HumanBodyBones.RightHand),
                End(animator, HumanBodyBones.LeftUpperLeg, HumanBodyBones.LeftLowerLeg, HumanBodyBones.LeftFoot),
                End(animator, HumanBodyBones.RightUpperLeg, HumanBodyBones.RightLowerLeg, HumanBodyBones.RightFoot),
            };
            return true;
        }

        static FullBody.End End(Animator animator, HumanBodyBones root, HumanBodyBones middle, HumanBodyBones tip)
        {
            return new FullBody.End
            {
                root = animator.GetBoneTransform(root),
                middle = animator.GetBoneTransform(middle),
                tip = animator.GetBoneTransform(tip),
            };
        }

        /// <summary>The head. Its axes are those that point ahead and up now.</summary>
        public static bool Fill(LookAt look)
        {
            Animator animator = Find(look);
            Transform head = animator != null ? animator.GetBoneTransform(HumanBodyBones.Head) : null;
            if (head == null) return false;
            look.bone = head;
            look.axis = head.InverseTransformDirection(animator.transform.forward);
            look.upAxis = head.InverseTransformDirection(animator.transform.up);
            return true;
        }

        /// <summary>The right arm.</summary>
        public static bool Fill(TwoBoneLimb limb)
        {
            Animator animator = Find(limb);
            if (animator == null) return false;
            limb.root = animator.GetBoneTransform(HumanBodyBones.RightUpperArm);
            limb.middle = animator.GetBoneTransform(HumanBodyBones.RightLowerArm);
            limb.tip = animator.GetBoneTransform(HumanBodyBones.RightHand);
            return true;
        }
    }
}
