using UnityEngine;

namespace Limbik
{
    /// <summary>What a ray to the ground has found.</summary>
    struct Ground
    {
        public bool Found;
        public Vector3 Point, Normal;
        public Transform Carrier;  // of the collider that was hit
    }

    /// <summary>Rays to the ground that pass through triggers, through characters, and through one's own colliders.</summary>
    static class GroundProbe
    {
        static readonly RaycastHit[] Hits = new RaycastHit[16];

        /// <summary>The nearest ground along a ray.</summary>
        /// <param name="self">colliders below this transform are not ground, whatever their layer</param>
        public static Ground Cast(Vector3 from, Vector3 direction, float distance, LayerMask mask, Transform self)
        {
            int count = Physics.RaycastNonAlloc(from, direction, Hits, distance, mask, QueryTriggerInteraction.Ignore);
            var found = new Ground();
            float nearest = float.PositiveInfinity;
            for (int k = 0; k < count; k++)
            {
                Collider collider = Hits[k].collider;
                if (Hits[k].distance >= nearest || collider is CharacterController) continue;
                if (collider.transform.IsChildOf(self)) continue;
                nearest = Hits[k].distance;
                found.Found = true;
                found.Point = Hits[k].point;
                found.Normal = Hits[k].normal;
                found.Carrier = collider.transform;
            }
            return found;
        }

        /// <summary>The transform to which a character's colliders belong.</summary>
        public static Transform Owner(Component component)
        {
            var controller = component.GetComponentInParent<CharacterController>();
            if (controller != null) return controller.transform;
            var body = component.GetComponentInParent<Rigidbody>();
            return body != null ? body.transform : component.transform;
        }
    }
}
