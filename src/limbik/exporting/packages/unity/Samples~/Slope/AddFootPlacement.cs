using Limbik;
using UnityEngine;

/// <summary>Put this on a humanoid character: it adds foot placement, with the legs of the character's avatar.</summary>
[RequireComponent(typeof(Animator))]
public sealed class AddFootPlacement : MonoBehaviour
{
    void Awake()
    {
        var animator = GetComponent<Animator>();
        var feet = gameObject.AddComponent<FootPlacement>();
        feet.pelvis = animator.GetBoneTransform(HumanBodyBones.Hips);
        feet.legs = new[]
        {
            Leg(animator, HumanBodyBones.LeftUpperLeg, HumanBodyBones.LeftLowerLeg, HumanBodyBones.LeftFoot),
            Leg(animator, HumanBodyBones.RightUpperLeg, HumanBodyBones.RightLowerLeg, HumanBodyBones.RightFoot),
        };
        feet.ground = ~(1 << gameObject.layer);  // everything but the character itself
    }

    static FootPlacement.Leg Leg(Animator animator, HumanBodyBones hip, HumanBodyBones knee, HumanBodyBones ankle)
    {
        return new FootPlacement.Leg
        {
            hip = animator.GetBoneTransform(hip),
            knee = animator.GetBoneTransform(knee),
            ankle = animator.GetBoneTransform(ankle),
        };
    }
}
