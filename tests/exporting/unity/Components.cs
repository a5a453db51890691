// Rigs with bones of any length and axes, posed by the package's components; prints one line of errors for each.
using System;
using System.Globalization;
using System.Reflection;
using Limbik;
using UnityEngine;

public static class Components
{
    static readonly Random random = new Random(5);

    static Vector3 Any(float size)
    {
        Func<float> one = () => (float)(2 * random.NextDouble() - 1) * size;
        return new Vector3(one(), one(), one());
    }

    static Quaternion Turn() { return Quaternion.AngleAxis((float)(360 * random.NextDouble()), Any(1)); }

    static Transform[] Chain(int bones)
    {
        var chain = new Transform[bones];
        for (int k = 0; k < bones; k++)
        {
            chain[k] = new GameObject().transform;
            if (k > 0) chain[k].parent = chain[k - 1];
            chain[k].localPosition = k == 0 ? Any(1) : (0.2f + (float)random.NextDouble()) * Any(1).normalized;
            chain[k].localRotation = Turn();
        }
        return chain;
    }

    static Transform At(Vector3 place)
    {
        Transform made = new GameObject().transform;
        made.position = place;
        made.rotation = Turn();
        return made;
    }

    static void Update(Component component)
    {
        var method = component.GetType().GetMethod("LateUpdate", BindingFlags.NonPublic | BindingFlags.Instance);
        method.Invoke(component, null);
    }

    static void Print(string name, params double[] numbers)
    {
        Console.Write(name);
        foreach (double number in numbers) Console.Write(" " + number.ToString("R", CultureInfo.InvariantCulture));
        Console.WriteLine();
    }

    static double Beside(Transform root, Transform middle, Transform tip, Vector3 pole)
    {
        // The part of the middle joint's side that lies on the pole's half of their plane: positive if it is there.
        Vector3 axis = (tip.position - root.position).normalized;
        Vector3 side = middle.position - root.position, wanted = pole - root.position;
        side -= Vector3.Dot(side, axis) * axis;
        wanted -= Vector3.Dot(wanted, axis) * axis;
        return Vector3.Dot(side.normalized, wanted.normalized);
    }

    public static void Main()
    {
        for (int k = 0; k < 200; k++)
        {
            Transform[] arm = Chain(3);
            float first = (arm[1].position - arm[0].position).magnitude;
            float second = (arm[2].position - arm[1].position).magnitude;
            float reach = Math.Abs(first - second) + (float)random.NextDouble() * 0.98f * (2 * Math.Min(first, second));
            var limb = new GameObject().AddComponent<TwoBoneLimb>();
            limb.root = arm[0]; limb.middle = arm[1]; limb.tip = arm[2];
            limb.target = At(arm[0].position + (reach + 0.01f) * Any(1).normalized);
            limb.pole = At(arm[0].position + Any(2));
            Quaternion hand = arm[2].rotation;
            Update(limb);
            Quaternion kept = Quaternion.Inverse(hand) * arm[2].rotation;
            Print("arm", (arm[2].position - limb.target.position).magnitude,
                Math.Abs((arm[1].position - arm[0].position).magnitude - first), 1 - Math.Abs(kept.w), limb.Solution.Status,
                1 - Beside(arm[0], arm[1], arm[2], limb.pole.position));

            Transform[] leg = Chain(4);
            var three = new GameObject().AddComponent<ThreeBoneLeg>();
            three.root = leg[0]; three.middle = leg[1]; three.ankle = leg[2]; three.tip = leg[3];
            three.target = At(Vector3.zero);
            float foot = (leg[3].position - leg[2].position).magnitude;
            first = (leg[1].position - leg[0].position).magnitude;
            second = (leg[2].position - leg[1].position).magnitude;
            reach = Math.Abs(first - second) + 0.01f + (float)random.NextDouble() * 0.97f * (2 * Math.Min(first, second));
            three.target.position = leg[0].position + reach * Any(1).normalized + foot * three.target.forward;
            three.pole = At(leg[0].position + Any(2));
            Update(three);
            Vector3 direction = (leg[3].position - leg[2].position).normalized;
            Print("leg", (leg[3].position - three.target.position).magnitude,
                Math.Abs((leg[1].position - leg[0].position).magnitude - first),
                (direction - three.target.forward).magnitude, three.Solution.Status,
                1 - Beside(leg[0], leg[1], leg[2], three.pole.position));

            Transform head = At(Any(1));
            var look = head.gameObject.AddComponent<LookAt>();
            look.maxAngle = 180; look.axis = Any(1).normalized; look.upAxis = Any(1).normalized;
            look.target = At(head.position + 3 * Any(1));
            Update(look);
            Vector3 line = (look.target.position - head.position).normalized, above = head.rotation * look.upAxis;
            Vector3 side = Vector3.Cross(line, Vector3.up).normalized;
            Print("look", (head.rotation * look.axis - line).magnitude, Math.Abs(Vector3.Dot(above, side)),
                above.y - Vector3.Dot(above, line) * line.y < -1e-5 ? 1 : 0, 0, 0);
            look.weight = 0;
            head.rotation = Turn();
            Quaternion before = head.rotation;
            Update(look);
            Print("still", 1 - Math.Abs((Quaternion.Inverse(before) * head.rotation).w), 0, 0, 0, 0);
        }
        Transform[] broken = Chain(3);
        var lost = new GameObject().AddComponent<TwoBoneLimb>();
        lost.root = broken[0]; lost.middle = broken[1]; lost.tip = broken[2];
        Vector3 place = broken[2].position;
        Update(lost);  // no target yet
        lost.target = At(new Vector3(float.NaN, 0, 0));
        Update(lost);
        Print("nan", (broken[2].position - place).magnitude, 0, 0, lost.Solution.Status - 4, 0);
    }
}
