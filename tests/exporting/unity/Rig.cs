// A person whose animation is a walk on level ground, computed by the law of cosines; ground of any shape; and a recorder
// of how far joints move in a frame, in the animation and as shown.
using System;
using System.Collections.Generic;
using System.Globalization;
using Limbik;
using UnityEngine;

public sealed class HeightCollider : Collider
{
    public Func<double, double, double> Height;
    public Vector3? Normal;

    public override bool Cast(Vector3 from, Vector3 direction, out float distance, out Vector3 normal)
    {
        const double step = 1e-3;
        double y = Height(from.x, from.z);
        double dx = (Height(from.x + step, from.z) - Height(from.x - step, from.z)) / (2 * step);
        double dz = (Height(from.x, from.z + step) - Height(from.x, from.z - step)) / (2 * step);
        bool edge = Math.Abs(dx) + Math.Abs(dz) > 10;
        normal = Normal ?? (edge ? Vector3.up : new Vector3((float)-dx, 1, (float)-dz).normalized);
        distance = (float)(from.y - y);
        return distance >= 0;
    }

    public static HeightCollider Add(Func<double, double, double> height)
    {
        var made = new GameObject("Ground").AddComponent<HeightCollider>();
        made.Height = height;
        return made;
    }
}

public sealed class Person
{
    public const float Thigh = 0.45f, Shank = 0.43f, AnkleHeight = 0.08f, HipHeight = 0.88f, Period = 1f, Stance = 0.6f;
    public readonly GameObject Root = new GameObject("Person");
    public readonly Transform Pelvis, Head;
    public readonly Transform[,] Legs = new Transform[2, 4], Arms = new Transform[2, 3];
    public readonly List<Transform> Joints = new List<Transform>();
    public readonly Animator Animator;
    public float Speed = 1f, Lift = 0.12f, Time;
    readonly Dictionary<Transform, Quaternion> turns = new Dictionary<Transform, Quaternion>();

    public Person(float scale = 1f, Random random = null)
    {
        Root.transform.localScale = scale * Vector3.one;
        Pelvis = Joint(Root.transform, 0, HipHeight, 0, null);
        Head = Joint(Pelvis, 0, 0.6f, 0, null);
        Animator = Root.AddComponent<Animator>();
        Animator.bones[HumanBodyBones.Hips] = Pelvis;
        Animator.bones[HumanBodyBones.Head] = Head;
        Animator.leftFeetBottomHeight = Animator.rightFeetBottomHeight = AnkleHeight * scale;
        for (int side = 0; side < 2; side++)
        {
            float x = side == 0 ? -0.1f : 0.1f;
            Legs[side, 0] = Joint(Pelvis, x, 0, 0, random);
            Legs[side, 1] = Joint(Legs[side, 0], 0, -Thigh, 0, random);
            Legs[side, 2] = Joint(Legs[side, 1], 0, -Shank, 0, random);
            Legs[side, 3] = Joint(Legs[side, 2], 0, -0.06f, 0.13f, random);
            Arms[side, 0] = Joint(Pelvis, 2 * x, 0.5f, 0, random);
            Arms[side, 1] = Joint(Arms[side, 0], 0, -0.3f, 0, random);
            Arms[side, 2] = Joint(Arms[side, 1], 0, -0.28f, 0.05f, random);
            HumanBodyBones[] leg = { HumanBodyBones.LeftUpperLeg, HumanBodyBones.LeftLowerLeg, HumanBodyBones.LeftFoot };
            HumanBodyBones[] arm = { HumanBodyBones.LeftUpperArm, HumanBodyBones.LeftLowerArm, HumanBodyBones.LeftHand };
            for (int k = 0; k < 3; k++)
            {
                Animator.bones[leg[k] + side] = Legs[side, k];
                Animator.bones[arm[k] + side] = Arms[side, k];
            }
            Animator.bones[HumanBodyBones.LeftToes + side] = Legs[side, 3];
        }
    }

    // A joint at a place in its parent's frame as an artist sees it; its own axes may be any.
    Transform Joint(Transform parent, float x, float y, float z, Random random)
    {
        Transform made = new GameObject("Joint" + Joints.Count).transform;
        Quaternion own = random == null ? Quaternion.identity : Rig.Turn(random);
        turns[made] = own;
        made.SetParent(parent, false);
        Quaternion above = turns.ContainsKey(parent) ? turns[parent] : Quaternion.identity;
        made.localPosition = Quaternion.Inverse(above) * new Vector3(x, y, z);
        made.localRotation = Quaternion.Inverse(above) * own;
        Joints.Add(made);
        return made;
    }

    void Set(Transform joint, Quaternion rotation)
    {
        Quaternion above = turns.ContainsKey(joint.parent) ? turns[joint.parent] : Quaternion.identity;
        joint.localRotation = Quaternion.Inverse(above) * rotation * turns[joint];
    }

    // What an animator writes in a frame.
    public void Animate()
    {
        Pelvis.localPosition = new Vector3(0, HipHeight, 0);
        Pelvis.localRotation = Quaternion.identity;
        Set(Head, Quaternion.identity);
        for (int side = 0; side < 2; side++)
        {
            double phase = Time / Period + 0.5 * side + 0.3;
            phase -= Math.Floor(phase);
            Bend(side, Ankle(phase));
            float swing = (float)(20 * Math.Sin(2 * Math.PI * phase));
            Set(Arms[side, 0], Quaternion.AngleAxis(swing, Vector3.right));
            Set(Arms[side, 1], Quaternion.AngleAxis(-20, Vector3.right));
            Set(Arms[side, 2], Quaternion.identity);
            Set(Legs[side, 3], Quaternion.identity);
        }
    }

    public bool Stands(int side)
    {
        double phase = Time / Period + 0.5 * side + 0.3;
        return Speed == 0 || phase - Math.Floor(phase) < Stance;
    }

    // The animated ankle relative to the body: in stance it goes back as the body goes forward.
    Vector3 Ankle(double phase)
    {
        double reach = 0.5 * Speed * Period * Stance;
        if (phase < Stance) return new Vector3(0, AnkleHeight, (float)(reach - Speed * Period * phase));
        double u = (phase - Stance) / (1 - Stance), slope = -Speed * Period * (1 - Stance);
        double z = (2 * u * u * u - 3 * u * u + 1) * -reach + (u * u * u - 2 * u * u + u) * slope
            + (3 * u * u - 2 * u * u * u) * reach + (u * u * u - u * u) * slope;
        double lift = Speed == 0 ? 0 : Math.Sin(Math.PI * u);
        return new Vector3(0, (float)(AnkleHeight + Lift * lift * lift), (float)z);
    }

    void Bend(int side, Vector3 goal)
    {
        double y = goal.y - HipHeight, z = goal.z, d = Math.Sqrt(y * y + z * z);
        double line = Math.Atan2(-z, -y);
        double first = line - Math.Acos((Thigh * Thigh + d * d - Shank * Shank) / (2 * Thigh * d));
        double second = line + Math.Acos((Shank * Shank + d * d - Thigh * Thigh) / (2 * Shank * d));
        Set(Legs[side, 0], Quaternion.AngleAxis((float)(first * 180 / Math.PI), Vector3.right));
        Set(Legs[side, 1], Quaternion.AngleAxis((float)((second - first) * 180 / Math.PI), Vector3.right));
        Set(Legs[side, 2], Quaternion.AngleAxis((float)(-second * 180 / Math.PI), Vector3.right));
    }

    public Vector3 Sole(int side, float ahead)
    {
        Transform ankle = Legs[side, 2];
        return ankle.TransformPoint(Quaternion.Inverse(turns[ankle]) * new Vector3(0, -AnkleHeight, ahead));
    }
}

// The farthest that any joint moves in a frame, beside twice what the animation and the target do.
public sealed class Recorder
{
    readonly List<Transform> joints;
    readonly Vector3[] animated, shown;
    readonly double[] own;
    Vector3[] before;
    public double Excess, Strict, Moved, AnimationMoved;
    public int Frames;

    public Recorder(List<Transform> joints)
    {
        this.joints = joints;
        animated = new Vector3[joints.Count];
        shown = new Vector3[joints.Count];
        own = new double[joints.Count];
    }

    public void Animated()
    {
        before = before ?? new Vector3[joints.Count];
        AnimationMoved = 0;
        for (int k = 0; k < animated.Length; k++)
        {
            Vector3 now = joints[k].position;
            own[k] = (now - animated[k]).magnitude;
            AnimationMoved = Math.Max(AnimationMoved, own[k]);
            animated[k] = now;
        }
    }

    public void Shown(double target)
    {
        for (int k = 0; k < shown.Length; k++)
        {
            Vector3 now = joints[k].position;
            double moved = (now - shown[k]).magnitude;
            shown[k] = now;
            if (Frames == 0) continue;
            Moved = Math.Max(Moved, moved);
            Excess = Math.Max(Excess, moved - 2 * (AnimationMoved + target));
            Strict = Math.Max(Strict, moved - 2 * (own[k] + target));
        }
        Frames++;
    }

    public Vector3 Animated(int k) { return animated[k]; }
}

public static class Rig
{
    public static Vector3 Any(Random random, float size)
    {
        Func<float> one = () => (float)(2 * random.NextDouble() - 1) * size;
        return new Vector3(one(), one(), one());
    }

    public static Quaternion Turn(Random random)
    {
        return Quaternion.AngleAxis((float)(360 * random.NextDouble()), Any(random, 1));
    }

    public static Transform[] Chain(Random random, int joints)
    {
        var chain = new Transform[joints];
        for (int k = 0; k < joints; k++)
        {
            chain[k] = new GameObject("Chain" + k).transform;
            if (k > 0) chain[k].SetParent(chain[k - 1], false);
            chain[k].localPosition = k == 0 ? Any(random, 1)
                : (0.2f + (float)random.NextDouble()) * Any(random, 1).normalized;
            chain[k].localRotation = Turn(random);
        }
        return chain;
    }

    public static Transform At(Vector3 place, Quaternion rotation)
    {
        Transform made = new GameObject("Target").transform;
        made.position = place;
        made.rotation = rotation;
        return made;
    }

    public static void Print(string name, params double[] numbers)
    {
        Console.Write(name);
        foreach (double number in numbers) Console.Write(" " + number.ToString("R", CultureInfo.InvariantCulture));
        Console.WriteLine();
    }
}
