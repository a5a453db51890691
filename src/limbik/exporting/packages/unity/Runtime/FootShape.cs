using System;
using UnityEngine;

namespace Limbik
{
    /// <summary>The sole of a foot, measured from the rig: heel and ball in the frame of the ankle's bone, and the tip in that
    /// of the toes, where they are a bone of their own.</summary>
    struct FootShape
    {
        const float AnkleHeight = 0.09f;   // of a leg's length, where nothing says more
        const float SoleThickness = 0.02f; // of a leg's length, from the joint of the toes to the sole
        const float FootLength = 0.3f;     // of a leg's length

        public Vector3 Heel, Ball, Toe;
        public bool KnowsToe;  // where toes are a bone, joints alone do not tell how they are bent at rest

        /// <summary>Measures a foot in the pose that it is in.</summary>
        public static FootShape Measure(FootPlacement.Leg leg, Transform character)
        {
            float legLength = leg.length, height = leg.ankleHeight;
            Vector3 up = character.up, forward = character.forward;
            if (height <= 0f && FromMesh(leg, character, out FootShape shape)) return shape;
            if (height <= 0f) height = AvatarHeight(leg, character);
            if (height <= 0f) height = AnkleHeight * legLength;
            Transform ankle = leg.ankle;
            Vector3 place = ankle.position, ball;
            bool atRest = RestUp(leg, character, ref up);
            if (leg.toes != null && (leg.toes.position - place).magnitude > 1e-3f * legLength)
            {
                Vector3 foot = leg.toes.position - place;
                float thickness = height + Vector3.Dot(foot, up);  // of the sole, if the foot is flat now
                bool tilted = !atRest && (thickness < 0.1f * height || thickness > 0.6f * height);
                if (leg.toeHeight > 0f) up = Flat(foot, up, height - leg.toeHeight);
                else if (tilted) up = Flat(foot, up, height - SoleThickness * legLength);
                forward = Vector3.ProjectOnPlane(foot, up).normalized;
                ball = place + Vector3.ProjectOnPlane(foot, up) - height * up;
            }
            else ball = place + 0.45f * FootLength * legLength * forward - height * up;
            Vector3 heel = place - 0.2f * FootLength * legLength * forward - height * up;
            Vector3 toe = ball + 0.25f * FootLength * legLength * forward;
            return new FootShape
            {
                Heel = ankle.InverseTransformPoint(heel),
                Ball = ankle.InverseTransformPoint(ball),
                Toe = leg.Tip.InverseTransformPoint(toe),
                KnowsToe = leg.toes == null,
            };
        }

        /// <summary>What is up for a foot when it stands flat, if the joint of its toes is so far below the ankle then.</summary>
        static Vector3 Flat(Vector3 foot, Vector3 up, float drop)
        {
            Vector3 side = Vector3.Cross(up, foot).normalized;
            Vector3 beside = Vector3.Cross(foot, side).normalized;  // upwards, at a right angle to the foot
            float cosine = -Mathf.Clamp(drop / foot.magnitude, -0.9f, 0.9f);
            return cosine * foot.normalized + Mathf.Sqrt(1f - cosine * cosine) * beside;
        }

        /// <summary>What is up for a foot in the pose in which the skin was bound, turned along with the foot.</summary>
        static bool RestUp(FootPlacement.Leg leg, Transform character, ref Vector3 up)
        {
            foreach (var renderer in character.GetComponentsInChildren<SkinnedMeshRenderer>())
            {
                if (!Bound(renderer, leg, out Matrix4x4[] poses, out int ankle, out Vector3 place, out Vector3 down)) continue;
                Vector3 local = poses[ankle].MultiplyPoint3x4(place - down) - poses[ankle].MultiplyPoint3x4(place);
                up = leg.ankle.TransformDirection(local).normalized;
                return true;
            }
            return false;
        }

        /// <summary>Where a skin has the ankle, in the pose in which it was bound, and which of its axes is down.</summary>
        static bool Bound(
            SkinnedMeshRenderer renderer, FootPlacement.Leg leg, out Matrix4x4[] poses, out int ankle, out Vector3 place,
            out Vector3 down)
        {
            Transform[] bones = renderer.bones;
            int hip = IndexOf(bones, leg.hip);
            ankle = IndexOf(bones, leg.ankle);
            poses = renderer.sharedMesh != null ? renderer.sharedMesh.bindposes : null;
            place = down = Vector3.zero;
            if (poses == null || ankle < 0 || hip < 0 || poses.Length <= Math.Max(ankle, hip)) return false;
            place = poses[ankle].inverse.MultiplyPoint3x4(Vector3.zero);
            down = NearestAxis(place - poses[hip].inverse.MultiplyPoint3x4(Vector3.zero));
            return true;
        }

        static float AvatarHeight(FootPlacement.Leg leg, Transform character)
        {
            var animator = character.GetComponentInChildren<Animator>();
            if (animator == null || !animator.isHuman) return 0f;
            bool left = animator.GetBoneTransform(HumanBodyBones.LeftFoot) == leg.ankle;
            return left ? animator.leftFeetBottomHeight : animator.rightFeetBottomHeight;
        }

        /// <summary>From the vertices that follow foot and toes, in the pose in which the mesh was bound.</summary>
        static bool FromMesh(FootPlacement.Leg leg, Transform character, out FootShape shape)
        {
            shape = new FootShape();
            foreach (var renderer in character.GetComponentsInChildren<SkinnedMeshRenderer>())
            {
                Mesh mesh = renderer.sharedMesh;
                if (mesh == null || !mesh.isReadable) continue;
                if (!Bound(renderer, leg, out Matrix4x4[] poses, out int ankle, out Vector3 place, out Vector3 down)) continue;
                int toes = IndexOf(renderer.bones, leg.toes);
                if (Sole(mesh, ankle, toes, place, down, out Vector3 heel, out Vector3 ball, out Vector3 toe))
                {
                    shape.Heel = poses[ankle].MultiplyPoint3x4(heel);
                    shape.Ball = poses[ankle].MultiplyPoint3x4(ball);
                    shape.Toe = poses[toes < 0 ? ankle : toes].MultiplyPoint3x4(toe);
                    shape.KnowsToe = true;
                    return true;
                }
            }
            return false;
        }

        /// <summary>Heel, ball and toe on the plane of the lowest vertices; all in the mesh's frame.</summary>
        static bool Sole(
            Mesh mesh, int ankle, int toes, Vector3 place, Vector3 down, out Vector3 heel, out Vector3 ball, out Vector3 toe)
        {
            Vector3[] vertices = mesh.vertices;
            BoneWeight[] weights = mesh.boneWeights;
            float lowest = 0f, farthest = 0f, nearest = 0f;
            heel = ball = toe = place;
            for (int k = 0; k < vertices.Length; k++)
                if (Follows(weights[k], ankle, toes)) lowest = Mathf.Max(lowest, Vector3.Dot(vertices[k] - place, down));
            if (lowest <= 0f) return false;
            Vector3 forward = Vector3.zero;
            for (int k = 0; k < vertices.Length; k++)  // towards the vertex that is farthest ahead
            {
                if (!Follows(weights[k], ankle, toes)) continue;
                Vector3 level = Vector3.ProjectOnPlane(vertices[k] - place, down);
                if (level.magnitude > forward.magnitude) forward = level;
            }
            if (forward.magnitude < 0.2f * lowest) return false;
            forward = NearestAxis(forward);
            for (int k = 0; k < vertices.Length; k++)
            {
                if (!Follows(weights[k], ankle, toes)) continue;
                float ahead = Vector3.Dot(vertices[k] - place, forward);
                farthest = Mathf.Max(farthest, ahead);
                nearest = Mathf.Min(nearest, ahead);
            }
            Vector3 sole = place + lowest * down;
            heel = sole + 0.8f * nearest * forward;
            ball = sole + 0.65f * farthest * forward;
            toe = sole + 0.9f * farthest * forward;
            return true;
        }

        static bool Follows(BoneWeight weight, int ankle, int toes)
        {
            return weight.weight0 > 0.5f && (weight.boneIndex0 == ankle || weight.boneIndex0 == toes);
        }

        static Vector3 NearestAxis(Vector3 v)
        {
            float x = Mathf.Abs(v.x), y = Mathf.Abs(v.y), z = Mathf.Abs(v.z);
            if (x >= y && x >= z) return new Vector3(Mathf.Sign(v.x), 0f, 0f);
            return y >= z ? new Vector3(0f, Mathf.Sign(v.y), 0f) : new Vector3(0f, 0f, Mathf.Sign(v.z));
        }

        static int IndexOf(Transform[] bones, Transform bone)
        {
            for (int k = 0; bone != null && k < bones.Length; k++) if (bones[k] == bone) return k;
            return -1;
        }
    }
}
