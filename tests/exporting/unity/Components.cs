// Rigs with bones of any length and axes, posed by the package's components; prints one line of errors for each.
using System;
using Limbik;
using UnityEngine;

public static class Components
{
    static readonly Random random = new Random(5);

    static Transform At(Vector3 place) { return Rig.At(place, Rig.Turn(random)); }

    static double Beside(Transform root, Transform middle, Transform tip, Vector3 pole)
    {
        // The part of the middle joint's side that lies on the pole's half of their plane: positive if it is there.
        Vector3 axis = (tip.position - root.position).normalized;
        Vector3 side = Vector3.ProjectOnPlane(middle.position - root.position, axis);
        return Vector3.Dot(side.normalized, Vector3.ProjectOnPlane(pole - root.position, axis).normalized);
    }

    public static void Run()
    {
        for (int k = 0; k < 200; k++)
        {
            Scene.Clear();
            Transform[] arm = Rig.Chain(random, 3);
            float first = (arm[1].position - arm[0].position).magnitude;
            float second = (arm[2].position - arm[1].position).magnitude;
            float reach = Math.Abs(first - second) + (float)random.NextDouble() * 0.98f * (2 * Math.Min(first, second));
            var limb = new GameObject().AddComponent<TwoBoneLimb>();
            limb.root = arm[0]; limb.middle = arm[1]; limb.tip = arm[2];
            limb.target = At(arm[0].position + (reach + 0.01f) * Rig.Any(random, 1).normalized);
            limb.pole = At(arm[0].position + Rig.Any(random, 2));
            Quaternion hand = arm[2].rotation;
            Scene.Step(0.02f);
            Quaternion kept = Quaternion.Inverse(hand) * arm[2].rotation;
            Rig.Print("arm", (arm[2].position - limb.target.position).magnitude,
                Math.Abs((arm[1].position - arm[0].position).magnitude - first), 1 - Math.Abs(kept.w),
                (int)limb.Solution.Status, 1 - Beside(arm[0], arm[1], arm[2], limb.pole.position));

            Transform[] leg = Rig.Chain(random, 4);
            var three = new GameObject().AddComponent<ThreeBoneLeg>();
            three.root = leg[0]; three.middle = leg[1]; three.ankle = leg[2]; three.tip = leg[3];
            three.target = At(Vector3.zero);
            float foot = (leg[3].position - leg[2].position).magnitude;
            first = (leg[1].position - leg[0].position).magnitude;
            second = (leg[2].position - leg[1].position).magnitude;
            reach = Math.Abs(first - second) + 0.01f + (float)random.NextDouble() * 0.97f * (2 * Math.Min(first, second));
            three.target.position =
                leg[0].position + reach * Rig.Any(random, 1).normalized + foot * three.target.forward;
            three.pole = At(leg[0].position + Rig.Any(random, 2));
            Scene.Step(0.02f);
            Vector3 direction = (leg[3].position - leg[2].position).normalized;
            Rig.Print("leg", (leg[3].position - three.target.position).magnitude,
                Math.Abs((leg[1].position - leg[0].position).magnitude - first),
                (direction - three.target.forward).magnitude, (int)three.Solution.Status,
                1 - Beside(leg[0], leg[1], leg[2], three.pole.position));

            Transform[] tail = Rig.Chain(random, 4 + k % 6);
            var chain = new GameObject().AddComponent<BoneChain>();
            float most = 0, total = 0;
            for (int i = 1; i < tail.Length; i++)
            {
                float link = (tail[i].position - tail[i - 1].position).magnitude;
                most = Math.Max(most, link);
                total += link;
            }
            chain.joints = tail;
            chain.pole = At(tail[0].position + Rig.Any(random, 2));
            float near = Math.Max(0, 2 * most - total);
            chain.target = At(tail[0].position
                + (near + (0.02f + 0.96f * (float)random.NextDouble()) * (total - near)) * Rig.Any(random, 1).normalized);
            first = (tail[1].position - tail[0].position).magnitude;
            Scene.Step(0.02f);
            Rig.Print("chain", (tail[tail.Length - 1].position - chain.target.position).magnitude,
                Math.Abs((tail[1].position - tail[0].position).magnitude - first), 0, 0, 0);

            Transform head = At(Rig.Any(random, 1));
            var look = head.gameObject.AddComponent<LookAt>();
            look.maxAngle = 180;
            look.axis = Rig.Any(random, 1).normalized;
            look.upAxis = Rig.Any(random, 1).normalized;
            look.target = At(head.position + 3 * Rig.Any(random, 1));
            for (int frame = 0; frame < 60; frame++) Scene.Step(0.02f);
            Vector3 line = (look.target.position - head.position).normalized, above = head.rotation * look.upAxis;
            Vector3 side = Vector3.Cross(line, Vector3.up).normalized;
            Rig.Print("look", (head.rotation * look.axis - line).magnitude, Math.Abs(Vector3.Dot(above, side)),
                above.y - Vector3.Dot(above, line) * line.y < -1e-5 ? 1 : 0, 0, 0);
        }
        Transform[] broken = Rig.Chain(random, 3);
        var lost = new GameObject().AddComponent<TwoBoneLimb>();
        lost.root = broken[0]; lost.middle = broken[1]; lost.tip = broken[2];
        Vector3 place = broken[2].position;
        Scene.Step(0.02f);  // no target yet
        lost.target = At(new Vector3(float.NaN, 0, 0));
        Scene.Step(0.02f);
        Rig.Print("nan", (broken[2].position - place).magnitude, lost.Solution.Status == TwoLink.Status.Invalid ? 0 : 1);
    }
}
