// A simulated character walks over ground with the package's FootPlacement; prints one line for each frame and foot.
// Its animation is a walk on level ground, whose poses are computed here by the law of cosines.
using System;
using System.Globalization;
using System.Reflection;
using Limbik;
using UnityEngine;

public static class Walk
{
    const float Thigh = 0.45f, Shank = 0.43f, AnkleHeight = 0.08f, HipHeight = 0.88f;
    const float Speed = 1f, Period = 1f, Stance = 0.6f, Lift = 0.12f, Frame = 1f / 60;
    static double degrees, bumps;

    static double Height(double z)
    {
        return Math.Tan(degrees * Math.PI / 180) * z + bumps * Math.Sin(3 * z);
    }

    static Vector3 Normal(double z)
    {
        double slope = Math.Tan(degrees * Math.PI / 180) + 3 * bumps * Math.Cos(3 * z);
        return new Vector3(0, 1, (float)-slope).normalized;
    }

    static bool Cast(Vector3 from, Vector3 direction, out RaycastHit hit, float distance)
    {
        float y = (float)Height(from.z);
        hit = new RaycastHit { point = new Vector3(from.x, y, from.z), normal = Normal(from.z), distance = from.y - y };
        return hit.distance >= 0 && hit.distance <= distance;
    }

    static Transform Child(Transform parent, float x, float y, float z)
    {
        Transform made = new GameObject().transform;
        made.parent = parent;
        made.localPosition = new Vector3(x, y, z);
        return made;
    }

    // The animated ankle relative to the character: in stance it goes back as the character goes forward.
    static Vector3 Animated(double phase, float x, out bool stance)
    {
        double reach = 0.5 * Speed * Period * Stance;
        stance = phase < Stance;
        if (stance) return new Vector3(x, AnkleHeight, (float)(reach - Speed * Period * phase));
        double u = (phase - Stance) / (1 - Stance), slope = -Speed * Period * (1 - Stance);
        double z = (2 * u * u * u - 3 * u * u + 1) * -reach + (u * u * u - 2 * u * u + u) * slope
            + (3 * u * u - 2 * u * u * u) * reach + (u * u * u - u * u) * slope;
        double lift = Math.Sin(Math.PI * u);
        return new Vector3(x, (float)(AnkleHeight + Lift * lift * lift), (float)z);
    }

    static void Animate(Transform hip, Transform knee, Transform ankle, Vector3 goal)
    {
        double y = goal.y - HipHeight, z = goal.z, d = Math.Sqrt(y * y + z * z);
        double line = Math.Atan2(-z, -y);
        double first = line - Math.Acos((Thigh * Thigh + d * d - Shank * Shank) / (2 * Thigh * d));
        double second = line + Math.Acos((Shank * Shank + d * d - Thigh * Thigh) / (2 * Shank * d));
        hip.localRotation = Quaternion.AngleAxis((float)(first * 180 / Math.PI), Vector3.right);
        knee.localRotation = Quaternion.AngleAxis((float)((second - first) * 180 / Math.PI), Vector3.right);
        ankle.localRotation = Quaternion.AngleAxis((float)(-second * 180 / Math.PI), Vector3.right);
    }

    static string Text(Vector3 v)
    {
        return string.Format(CultureInfo.InvariantCulture, "{0:R} {1:R} {2:R}", v.x, v.y, v.z);
    }

    public static void Main(string[] arguments)
    {
        degrees = double.Parse(arguments[0], CultureInfo.InvariantCulture);
        bumps = double.Parse(arguments[1], CultureInfo.InvariantCulture);
        Physics.Cast = Cast;
        Time.deltaTime = Frame;
        var character = new GameObject();
        Transform pelvis = Child(character.transform, 0, HipHeight, 0);
        var bones = new Transform[2, 3];
        var animator = character.AddComponent<Animator>();
        animator.bones[HumanBodyBones.Hips] = pelvis;
        for (int side = 0; side < 2; side++)
        {
            bones[side, 0] = Child(pelvis, side == 0 ? -0.1f : 0.1f, 0, 0);
            bones[side, 1] = Child(bones[side, 0], 0, -Thigh, 0);
            bones[side, 2] = Child(bones[side, 1], 0, -Shank, 0);
            for (int k = 0; k < 3; k++) animator.bones[(HumanBodyBones)(1 + 3 * side + k)] = bones[side, k];
        }
        var sample = character.AddComponent<AddFootPlacement>();
        sample.GetType().GetMethod("Awake", BindingFlags.NonPublic | BindingFlags.Instance).Invoke(sample, null);
        var feet = character.GetComponent<FootPlacement>();
        var update = feet.GetType().GetMethod("LateUpdate", BindingFlags.NonPublic | BindingFlags.Instance);
        for (int frame = 0; frame < 480; frame++)
        {
            float time = frame * Frame, z = Speed * time;
            character.transform.position = new Vector3(0, (float)Height(z), z);
            var stance = new bool[2];
            var before = new string[2];
            for (int paused = 0; paused < (frame % 50 == 49 ? 2 : 1); paused++)  // paused: once more, but no time passes
            {
                pelvis.localPosition = new Vector3(0, HipHeight, 0);
                Time.deltaTime = paused > 0 ? 0 : Frame;
                for (int side = 0; side < 2; side++)
                {
                    double phase = time / Period + 0.5 * side + 0.3;
                    Vector3 goal = Animated(phase - Math.Floor(phase), side == 0 ? -0.1f : 0.1f, out stance[side]);
                    Animate(bones[side, 0], bones[side, 1], bones[side, 2], goal);
                    before[side] = Text(bones[side, 1].position) + " " + Text(bones[side, 2].position);
                }
                update.Invoke(feet, null);
            }
            for (int side = 0; side < 2; side++)
            {
                Transform ankle = bones[side, 2];
                Console.WriteLine(string.Join(" ", new[] {
                    frame.ToString(), side.ToString(), stance[side] ? "1" : "0", Text(pelvis.position),
                    Text(bones[side, 0].position), Text(bones[side, 1].position), Text(ankle.position),
                    Text(ankle.TransformPoint(new Vector3(0, -AnkleHeight, 0))),
                    Text(ankle.TransformPoint(new Vector3(0, -AnkleHeight, 0.15f))),
                    Text(ankle.TransformPoint(new Vector3(0, -AnkleHeight, -0.06f))), before[side] }));
            }
        }
    }
}
