using UnityEngine;

namespace Limbik
{
    /// <summary>Notices that a character is somewhere else at once: a respawn, a portal, a floating origin.</summary>
    struct Teleports
    {
        const float AbruptDistance = 0.25f;  // in leg's lengths
        const float Acceleration = 8f;       // in leg's lengths a second
        const float AbruptTurn = 100f;       // degrees
        Vector3 place, velocity;
        Quaternion rotation;
        bool seen;

        public void Forget() { seen = false; }

        /// <summary>Whether the transform has moved as nothing that walks, falls or rides does.</summary>
        /// <param name="size">of the character: the length of a leg</param>
        public bool Happened(Transform body, float size, float seconds)
        {
            Vector3 now = body.position;
            bool abrupt = false;
            if (seen)
            {
                // Against where it would be at the speed it had: who rides a train is not teleported.
                Vector3 off = now - (place + seconds * velocity);
                abrupt = off.magnitude > size * (AbruptDistance + Acceleration * seconds)
                    || Quaternion.Angle(rotation, body.rotation) > AbruptTurn;
                if (seconds > 0f && !abrupt) velocity = (now - place) / seconds;
            }
            else velocity = Vector3.zero;
            place = now;
            rotation = body.rotation;
            seen = true;
            return abrupt;
        }
    }
}
