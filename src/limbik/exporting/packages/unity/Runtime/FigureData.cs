using System;
using UnityEngine;

namespace Limbik
{
    /// <summary>A figure without files: its joints and its skin, from which `Build` makes game objects.</summary>
    public sealed class FigureData
    {
        public string[] Names;
        public int[] Parents;
        public float[] Places, Turns, BindPoses;  // local places, local rotations xyzw, rows of 3 x 4 matrices
        public Vector3 Low, Size;                 // the box of the vertices
        public string[] Vertices, Joints, Weights;
        public string[][] Triangles;              // of each colour
        public Color[] Colours;

        /// <summary>Makes the joints below a transform, with a skin; in the editor, too. The first joint is the root.</summary>
        public Transform[] Build(Transform parent)
        {
            var joints = new Transform[Names.Length];
            for (int k = 0; k < joints.Length; k++)
            {
                joints[k] = new GameObject(Names[k]).transform;
                joints[k].SetParent(Parents[k] < 0 ? parent : joints[Parents[k]], false);
                joints[k].localPosition = new Vector3(Places[3 * k], Places[3 * k + 1], Places[3 * k + 2]);
                joints[k].localRotation =
                    new Quaternion(Turns[4 * k], Turns[4 * k + 1], Turns[4 * k + 2], Turns[4 * k + 3]);
            }
            var skin = new GameObject("Skin").AddComponent<SkinnedMeshRenderer>();
            skin.transform.SetParent(parent, false);
            skin.sharedMesh = Mesh();
            skin.bones = joints;
            skin.rootBone = joints[0];
            skin.localBounds = new Bounds(Vector3.zero, 3f * Size);
            skin.sharedMaterials = Materials();
            return joints;
        }

        Mesh Mesh()
        {
            byte[] places = Bytes(Vertices), followed = Bytes(Joints), parts = Bytes(Weights);
            int count = places.Length / 6;
            var vertices = new Vector3[count];
            var weights = new BoneWeight[count];
            for (int k = 0; k < count; k++)
            {
                vertices[k] = Low + new Vector3(
                    Fraction(places, 3 * k) * Size.x, Fraction(places, 3 * k + 1) * Size.y,
                    Fraction(places, 3 * k + 2) * Size.z);
                weights[k] = Weight(followed, parts, 4 * k);
            }
            var mesh = new Mesh { name = "Skin", vertices = vertices, boneWeights = weights, bindposes = Poses() };
            mesh.subMeshCount = Colours.Length;
            for (int k = 0; k < Colours.Length; k++)
            {
                byte[] corners = Bytes(Triangles[k]);
                var triangles = new int[corners.Length / 2];
                for (int i = 0; i < triangles.Length; i++) triangles[i] = BitConverter.ToUInt16(corners, 2 * i);
                mesh.SetTriangles(triangles, k);
            }
            mesh.RecalculateNormals();
            mesh.RecalculateBounds();
            return mesh;
        }

        static BoneWeight Weight(byte[] joints, byte[] parts, int at)
        {
            float whole = parts[at] + parts[at + 1] + parts[at + 2] + parts[at + 3];
            return new BoneWeight
            {
                boneIndex0 = joints[at], boneIndex1 = joints[at + 1],
                boneIndex2 = joints[at + 2], boneIndex3 = joints[at + 3],
                weight0 = parts[at] / whole, weight1 = parts[at + 1] / whole,
                weight2 = parts[at + 2] / whole, weight3 = parts[at + 3] / whole,
            };
        }

        Matrix4x4[] Poses()
        {
            var poses = new Matrix4x4[Names.Length];
            for (int k = 0; k < poses.Length; k++)
            {
                poses[k] = Matrix4x4.identity;
                for (int row = 0; row < 3; row++)
                    for (int column = 0; column < 4; column++)
                        poses[k][row, column] = BindPoses[12 * k + 4 * row + column];
            }
            return poses;
        }

        /// <summary>Plain materials of the render pipeline that the project uses: those of a new primitive.</summary>
        Material[] Materials()
        {
            GameObject primitive = GameObject.CreatePrimitive(PrimitiveType.Cube);
            Material plain = primitive.GetComponent<MeshRenderer>().sharedMaterial;
            var made = new Material[Colours.Length];
            for (int k = 0; k < made.Length; k++) made[k] = new Material(plain) { color = Colours[k] };
            if (Application.isPlaying) UnityEngine.Object.Destroy(primitive);
            else UnityEngine.Object.DestroyImmediate(primitive);
            return made;
        }

        static float Fraction(byte[] data, int number) { return BitConverter.ToUInt16(data, 2 * number) / 65535f; }

        /// <summary>Base64 in lines.</summary>
        public static byte[] Bytes(string[] lines) { return Convert.FromBase64String(string.Concat(lines)); }
    }
}
