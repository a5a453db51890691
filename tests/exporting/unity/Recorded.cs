// A recorded walk over ground: with foot placement ("package"), with the script of the page ("typed"), as it is ("none"). The recording is a file of float32: of each frame the joints' world
// places and rotations xyzw, the rest pose first (pelvis, then hip, knee, ankle, toes of both legs), made by the tests; y up, left-handed.
using System;
using System.IO;
using Limbik;
using UnityEngine;

public static class Recorded
{
    const int Joints = 9;

    public static void Run(string[] given)
    {
        byte[] bytes = File.ReadAllBytes(given[0]);
        var numbers = new float[bytes.Length / 4];
        Buffer.BlockCopy(bytes, 0, numbers, 0, bytes.Length);
        var invariant = System.Globalization.CultureInfo.InvariantCulture;
        float rate = float.Parse(given[1], invariant), slope = float.Parse(given[2], invariant);
        float[] heights = { float.Parse(given[3], invariant), float.Parse(given[4], invariant) };
        float toeHeight = float.Parse(given[7], invariant);  // 0: as the component measures it
        Scene.Clear();
        HeightCollider.Add((x, z) => slope * z);
        var body = new GameObject("Body");
        var joints = new Transform[Joints];
        for (int k = 0; k < Joints; k++)
        {
            joints[k] = new GameObject("Joint" + k).transform;
            joints[k].SetParent(k == 0 ? body.transform : k == 1 || k == 5 ? joints[0] : joints[k - 1], false);
        }
        Func<int, Vector3> at = i => new Vector3(numbers[i], numbers[i + 1], numbers[i + 2]);
        Action<int> animate = frame =>
        {
            Vector3 pelvis = at(7 * frame * Joints);
            body.transform.position = new Vector3(pelvis.x, slope * pelvis.z, pelvis.z);
            for (int k = 0; k < Joints; k++)
            {
                int i = 7 * (frame * Joints + k);
                joints[k].position = at(i) + slope * pelvis.z * Vector3.up;
                joints[k].rotation = new Quaternion(numbers[i + 3], numbers[i + 4], numbers[i + 5], numbers[i + 6]);
            }
        };
        animate(0);
        if (given[6] == "typed") Type(body, joints, heights);
        var feet = body.AddComponent<FootPlacement>();
        feet.enabled = false;  // as in a prefab: its bones are known when it is enabled
        feet.pelvis = joints[0];
        feet.legs = new[] { Leg(joints, 1, heights[0], toeHeight), Leg(joints, 5, heights[1], toeHeight) };
        feet.enabled = given[6] == "package";
        var recorder = new Recorder(new System.Collections.Generic.List<Transform>(joints));
        var target = new BinaryWriter(File.Create(given[5]));
        int frames = numbers.Length / 7 / Joints;
        for (int frame = 1; frame < frames; frame++)
        {
            int now = frame;
            Scene.Animate = () => { animate(now); recorder.Animated(); };
            Scene.Step(1 / rate);
            recorder.Shown(0);
            for (int k = 0; k < Joints; k++)
            {
                Vector3 p = joints[k].position;
                Quaternion q = joints[k].rotation;
                foreach (float x in new[] { p.x, p.y, p.z, q.x, q.y, q.z, q.w }) target.Write(x);
            }
        }
        target.Close();
        Rig.Print("excess", recorder.Excess, recorder.Moved);
    }

    // The script of docs/unity.md.
    static void Type(GameObject body, Transform[] joints, float[] heights)
    {
        for (int side = 0; side < 2; side++)
        {
            var leg = body.AddComponent<LegIK>();
            leg.hip = joints[1 + 4 * side];
            leg.knee = joints[2 + 4 * side];
            leg.ankle = joints[3 + 4 * side];
            leg.ankleHeight = heights[side];
        }
    }

    static FootPlacement.Leg Leg(Transform[] joints, int first, float ankleHeight, float toeHeight)
    {
        return new FootPlacement.Leg
        {
            hip = joints[first], knee = joints[first + 1], ankle = joints[first + 2], toes = joints[first + 3],
            ankleHeight = ankleHeight, toeHeight = toeHeight
        };
    }
}
