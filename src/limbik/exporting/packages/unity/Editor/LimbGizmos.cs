using UnityEditor;
using UnityEngine;

namespace Limbik.Editor
{
    /// <summary>Draws limbs and their targets in the scene view.</summary>
    static class LimbGizmos
    {
        static readonly Color Reached = new Color(0.2f, 0.8f, 0.3f);
        static readonly Color Missed = new Color(0.9f, 0.3f, 0.2f);

        [DrawGizmo(GizmoType.Selected | GizmoType.Active)]
        static void Draw(TwoBoneLimb limb, GizmoType kind)
        {
            if (limb.root == null || limb.middle == null || limb.tip == null) return;
            Gizmos.color = limb.Solution.Status == TwoLink.Status.Reached ? Reached : Missed;
            Gizmos.DrawLine(limb.root.position, limb.middle.position);
            Gizmos.DrawLine(limb.middle.position, limb.tip.position);
            if (limb.target != null) Gizmos.DrawWireSphere(limb.target.position, 0.03f);
            if (limb.pole != null) Gizmos.DrawLine(limb.middle.position, limb.pole.position);
        }

        [DrawGizmo(GizmoType.Selected | GizmoType.Active)]
        static void Draw(ThreeBoneLeg leg, GizmoType kind)
        {
            if (leg.root == null || leg.middle == null || leg.ankle == null || leg.tip == null) return;
            Gizmos.color = leg.Solution.Status == TwoLink.Status.Reached ? Reached : Missed;
            Gizmos.DrawLine(leg.root.position, leg.middle.position);
            Gizmos.DrawLine(leg.middle.position, leg.ankle.position);
            Gizmos.DrawLine(leg.ankle.position, leg.tip.position);
            if (leg.target != null) Gizmos.DrawRay(leg.target.position, 0.1f * leg.target.forward);
        }

        [DrawGizmo(GizmoType.Selected | GizmoType.Active)]
        static void Draw(BoneChain chain, GizmoType kind)
        {
            Gizmos.color = chain.Residual < 1e-3f ? Reached : Missed;
            for (int k = 1; k < chain.joints.Length; k++)
                if (chain.joints[k - 1] != null && chain.joints[k] != null)
                    Gizmos.DrawLine(chain.joints[k - 1].position, chain.joints[k].position);
            if (chain.target != null) Gizmos.DrawWireSphere(chain.target.position, 0.03f);
        }

        [DrawGizmo(GizmoType.Selected | GizmoType.Active)]
        static void Draw(FullBody body, GizmoType kind)
        {
            foreach (FullBody.End end in body.ends)
            {
                if (end.target == null) continue;
                Gizmos.color = end.Residual < 1e-3f ? Reached : Missed;
                Gizmos.DrawWireSphere(end.target.position, 0.03f);
            }
        }

        [DrawGizmo(GizmoType.Selected | GizmoType.Active)]
        static void Draw(FootPlacement feet, GizmoType kind)
        {
            foreach (FootPlacement.Leg leg in feet.legs)
            {
                Gizmos.color = leg.Planted ? Reached : Color.white;
                Gizmos.DrawWireSphere(leg.Goal, 0.03f);
            }
        }
    }
}
