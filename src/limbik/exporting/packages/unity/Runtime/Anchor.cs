using UnityEngine;

namespace Limbik
{
    /// <summary>A place on something that may move, or a direction; where it is destroyed, they stay.</summary>
    struct Anchor
    {
        Transform carrier;
        Vector3 local, world;
        bool carried;

        /// <summary>Keeps a place in the frame of a carrier, or in the world without one.</summary>
        public void Place(Transform on, Vector3 place)
        {
            Hold(on, place);
            if (carried) local = on.InverseTransformPoint(place);
        }

        /// <summary>Keeps a direction.</summary>
        public void Direct(Transform on, Vector3 direction)
        {
            Hold(on, direction);
            if (carried) local = on.InverseTransformDirection(direction);
        }

        public Vector3 Point
        {
            get
            {
                if (carried && carrier != null) world = carrier.TransformPoint(local);
                return world;
            }
        }

        public Vector3 Direction
        {
            get
            {
                if (carried && carrier != null) world = carrier.TransformDirection(local);
                return world;
            }
        }

        void Hold(Transform on, Vector3 what)
        {
            carrier = on;
            carried = on != null;
            world = what;
        }
    }
}
