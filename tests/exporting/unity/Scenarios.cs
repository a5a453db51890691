// What happens to characters in a game, one scenario a method; each prints numbers that the tests judge.
using System;
using System.Collections.Generic;
using System.Linq;
using Limbik;
using UnityEngine;

public static class Scenarios
{
    const float Frame = 1f / 60;

    public static void Main(string[] arguments)
    {
        Type type = arguments[0] == "Components" ? typeof(Components)
            : arguments[0] == "Recorded" ? typeof(Recorded) : typeof(Scenarios);
        var method = type.GetMethod(arguments[0] == type.Name ? "Run" : arguments[0]);
        method.Invoke(null, method.GetParameters().Length == 0 ? null : new object[] { arguments.Skip(1).ToArray() });
    }

    static double Number(string text)
    {
        return double.Parse(text, System.Globalization.CultureInfo.InvariantCulture);
    }

    static string Bits(Person person)
    {
        return string.Join(" ", person.Joints.Select(joint =>
        {
            Quaternion q = joint.localRotation;
            Vector3 p = joint.localPosition;
            return string.Join(",", new[] { q.x, q.y, q.z, q.w, p.x, p.y, p.z }.Select(x => x.ToString("R")));
        }));
    }

    static readonly string[] Kinds = { "limb", "leg", "chain", "spring", "look", "body", "feet" };

    // A component on a person, with targets within and out of reach, poles, springs.
    static LimbComponent Add(string kind, Person person, Random random)
    {
        GameObject on = person.Root;
        Transform hand = Rig.At(person.Pelvis.position + new Vector3(-0.4f, 0.4f, 0.3f), Rig.Turn(random));
        switch (kind)
        {
            case "limb":
                var limb = on.AddComponent<TwoBoneLimb>();
                limb.root = person.Arms[0, 0]; limb.middle = person.Arms[0, 1]; limb.tip = person.Arms[0, 2];
                limb.target = hand;
                limb.pole = Rig.At(hand.position - Vector3.up, Quaternion.identity);
                limb.rotationWeight = 0.7f;
                limb.softReach = 0.9f;
                return limb;
            case "leg":
                var leg = on.AddComponent<ThreeBoneLeg>();
                leg.root = person.Legs[0, 0]; leg.middle = person.Legs[0, 1]; leg.ankle = person.Legs[0, 2];
                leg.tip = person.Legs[0, 3];
                leg.target = Rig.At(person.Pelvis.position + new Vector3(-0.1f, -0.7f, 0.2f), Rig.Turn(random));
                return leg;
            case "chain":
                var chain = on.AddComponent<BoneChain>();
                chain.joints = new[] { person.Legs[0, 0], person.Legs[0, 1], person.Legs[0, 2], person.Legs[0, 3] };
                chain.target = Rig.At(person.Pelvis.position + new Vector3(0.1f, -0.5f, 0.3f), Rig.Turn(random));
                return chain;
            case "spring":
                var spring = on.AddComponent<SpringChain>();
                spring.bones = new[] { person.Arms[0, 0], person.Arms[0, 1], person.Arms[0, 2] };
                return spring;
            case "look":
                var look = on.AddComponent<LookAt>();
                look.bone = person.Head;
                look.target = hand;
                return look;
            case "body":
                var body = on.AddComponent<FullBody>();
                body.ends[0].target = hand;
                body.ends[3].target = Rig.At(person.Legs[1, 2].position + new Vector3(0.2f, 0, 0.5f), Rig.Turn(random));
                return body;
            default:
                return on.AddComponent<FootPlacement>();
        }
    }

    static Person Start(string kind, float weight, out LimbComponent component, int seed = 3)
    {
        Scene.Clear();
        HeightCollider.Add((x, z) => 0.2 * z);
        var person = new Person(1, new Random(seed));
        person.Animate();
        component = Add(kind, person, new Random(seed));
        component.weight = weight;
        return person;
    }

    // Weight 0 is the animation, bit by bit: with an animator, and where none writes.
    public static void WeightNone()
    {
        foreach (string kind in Kinds)
            foreach (bool animator in new[] { true, false })
            {
                Person person = Start(kind, 0, out LimbComponent component);
                int different = 0;
                string expected = Bits(person);
                for (int frame = 0; frame < 100; frame++)
                {
                    component.weight = frame < 50 ? 0 : frame == 50 ? 0.7f : 0;  // after a frame with a weight, too
                    Scene.Animate = () =>
                    {
                        if (!animator) return;
                        person.Time += Frame;
                        person.Animate();
                        expected = Bits(person);
                    };
                    Scene.Step(Frame);
                    if (frame != 50 && Bits(person) != expected) different++;
                }
                Rig.Print(kind, different);
            }
    }

    // Where no animator writes, a pose at weight 0.5 or 1 is the same after 100 frames as after the second.
    public static void HeldWeight()
    {
        foreach (string kind in Kinds)
            foreach (float weight in new[] { 0.5f, 1f })
            {
                Person person = Start(kind, weight, out LimbComponent component);
                Quaternion[] early = null;
                for (int frame = 0; frame < 200; frame++)
                {
                    Scene.Step(Frame);
                    if (frame == 99) early = person.Joints.Select(joint => joint.localRotation).ToArray();
                }
                double turned = person.Joints.Select((joint, k) => (double)Quaternion.Angle(joint.localRotation, early[k])).Max();
                component.enabled = false;
                Person fresh = Start(kind, 0, out LimbComponent _);
                Rig.Print(kind, turned, Bits(person) == Bits(fresh) ? 0 : 1);
            }
    }

    // Between weight 0 and 1 rotations are blended: half of the turn at weight 0.5.
    public static void BlendedWeight()
    {
        foreach (string kind in new[] { "limb", "leg", "chain", "look" })
        {
            var poses = new List<Quaternion[]>();
            foreach (float weight in new[] { 0f, 0.5f, 1f })
            {
                Person person = Start(kind, weight, out LimbComponent _);
                for (int frame = 0; frame < 60; frame++) Scene.Step(Frame);
                poses.Add(person.Joints.Select(joint => joint.localRotation).ToArray());
            }
            double worst = 0;
            for (int k = 0; k < poses[0].Length; k++)
                worst = Math.Max(worst, Quaternion.Angle(poses[1][k], Quaternion.Slerp(poses[0][k], poses[2][k], 0.5f)));
            Rig.Print(kind, worst);
        }
    }

    // An animator that writes every third frame (Animate Physics, culling): what is between is the pose it wrote last.
    public static void ThirdRate()
    {
        foreach (string kind in Kinds)
        {
            var shown = new List<string>[2];
            for (int run = 0; run < 2; run++)
            {
                shown[run] = new List<string>();
                Person person = Start(kind, 0.8f, out LimbComponent component);
                int frames = 0;
                Scene.Animate = () =>
                {
                    bool third = frames++ % 3 == 0;
                    if (third) person.Time += 3 * Frame;
                    if (third || run == 1) person.Animate();
                };
                for (int frame = 0; frame < 120; frame++)
                {
                    Scene.Step(Frame);
                    shown[run].Add(Bits(person));
                }
            }
            Rig.Print(kind, shown[0].Zip(shown[1], (a, b) => a == b ? 0 : 1).Sum());
        }
    }

    // --- feet

    // A person who walks with foot placement; after each frame `Seen`.
    sealed class Walk
    {
        public readonly Person Person;
        public readonly FootPlacement Feet;
        public readonly Recorder Recorder;
        public Func<double, double> Ground;
        public float Scale, Z, Y = float.NaN, Step = Frame;
        public Vector3 Carried;
        public Func<int, bool> AnimatorWrites = frame => true;
        public int Frames;

        public Walk(Func<double, double> ground, float scale = 1, bool clear = true, bool seeded = true)
        {
            if (clear) Scene.Clear();
            Ground = ground;
            Scale = scale;
            HeightCollider.Add((x, z) => scale * ground(z / scale));
            Person = new Person(scale, seeded ? new Random(8) : null);
            Person.Animate();
            Place();
            Recorder = new Recorder(Person.Joints);
            Feet = Person.Root.AddComponent<FootPlacement>();
        }

        public void Place()
        {
            float y = float.IsNaN(Y) ? (float)Ground(Z) : Y;
            Person.Root.transform.position = scaled(new Vector3(0, y, Z)) + Carried;
        }

        Vector3 scaled(Vector3 v) { return Scale * v; }

        public void Go(double target = 0)
        {
            Person.Time += Step;
            Z += Person.Speed * Step;
            Scene.Animate = () =>
            {
                Place();
                if (AnimatorWrites(Frames)) Person.Animate();
                Recorder.Animated();
            };
            Scene.Step(Step);
            Recorder.Shown(target);
            Frames++;
        }

        // How far a point of a sole is above the ground, across it.
        public double Above(int side, float ahead)
        {
            Vector3 p = (Person.Sole(side, ahead) - Carried) / Scale;
            double slope = (Ground(p.z + 1e-4) - Ground(p.z - 1e-4)) / 2e-4;
            return (p.y - Ground(p.z)) / Math.Sqrt(1 + slope * slope);
        }
    }

    static Func<double, double> Slope(double degrees, double bumps = 0)
    {
        double rise = Math.Tan(degrees * Math.PI / 180);
        return z => rise * z + bumps * Math.Sin(3 * z);
    }

    // (frame, side, stands, heights of sole, toe and heel, sole's place, knee, ankle, pelvis, animated knee)
    public static void Slopes(string[] given)
    {
        var walk = new Walk(Slope(Number(given[0]), Number(given[1])), (float)Number(given[2]));
        var recorder = walk.Recorder;
        for (int frame = 0; frame < 300; frame++)
        {
            if (frame % 50 == 49) { float step = walk.Step; walk.Step = 0; walk.Go(); walk.Step = step; }  // paused
            walk.Go();
            for (int side = 0; side < 2; side++)
            {
                var numbers = new List<double> { side, walk.Person.Stands(side) ? 1 : 0 };
                foreach (float ahead in new[] { 0f, 0.15f, -0.06f }) numbers.Add(walk.Above(side, ahead));
                foreach (Vector3 v in new[] {
                    walk.Person.Sole(side, 0), walk.Person.Legs[side, 0].position, walk.Person.Legs[side, 1].position,
                    walk.Person.Legs[side, 2].position, walk.Person.Pelvis.position,
                    recorder.Animated(walk.Person.Joints.IndexOf(walk.Person.Legs[side, 1])),
                    recorder.Animated(walk.Person.Joints.IndexOf(walk.Person.Legs[side, 2])) })
                {
                    numbers.Add(v.x / walk.Scale); numbers.Add(v.y / walk.Scale); numbers.Add(v.z / walk.Scale);
                }
                Rig.Print("step", numbers.ToArray());
            }
        }
        Rig.Print("excess", recorder.Excess / walk.Scale, recorder.Strict / walk.Scale);
    }

    public static void Teleport(string[] given)
    {
        var walk = new Walk(Slope(-10));
        double lowest = 1, highest = -1, drop = 0;
        for (int frame = 0; frame < 300; frame++)
        {
            if (frame % 75 == 60) { walk.Z += (float)Number(given[0]); walk.Y = float.NaN; }
            walk.Go();
            for (int side = 0; side < 2; side++)
            {
                if (frame < 15) continue;
                lowest = Math.Min(lowest, walk.Above(side, 0));
                if (walk.Person.Stands(side)) highest = Math.Max(highest, walk.Above(side, 0));
            }
            drop = Math.Max(drop, walk.Recorder.Animated(0).y - walk.Person.Pelvis.position.y);
        }
        Rig.Print("teleport", walk.Recorder.Excess, walk.Recorder.Strict, lowest, highest, drop);
    }

    public static void DisableEnable()
    {
        var walk = new Walk(Slope(-10));
        double off = 0;
        for (int frame = 0; frame < 300; frame++)
        {
            if (frame % 60 == 30) walk.Feet.enabled = false;
            if (frame % 60 == 45) walk.Feet.enabled = true;
            if (frame % 60 == 30) walk.Recorder.Frames = 0;  // switched off, the pose is the animation's at once
            walk.Go();
            if (!walk.Feet.enabled)
                for (int k = 0; k < walk.Person.Joints.Count; k++)
                    off = Math.Max(off, (walk.Person.Joints[k].position - walk.Recorder.Animated(k)).magnitude);
        }
        Rig.Print("enable", walk.Recorder.Excess, walk.Recorder.Strict, off);
    }

    // Walks off, jumps at 3.5 m/s, lands 0.3 m lower on a slope; falls off a ledge.
    public static void Jump()
    {
        var walk = new Walk(z => z < 2.5 ? 0 : -0.3 - 0.1 * (z - 2.5));
        float height = 0, speed = 0;
        double off = 0, sunk = 0;
        int flying = 0;
        for (int frame = 0; frame < 240; frame++)
        {
            if (frame == 90) speed = 3.5f;
            float ground = (float)walk.Ground(walk.Z + Frame);
            speed -= 9.81f * Frame;
            height += speed * Frame;
            bool lands = height <= ground;
            if (lands) { height = ground; speed = 0; }
            walk.Y = height;
            walk.Go();
            flying = walk.Feet.InAir ? flying + 1 : 0;
            for (int side = 0; side < 2; side++)
            {
                int ankle = walk.Person.Joints.IndexOf(walk.Person.Legs[side, 2]);
                if (flying > 15)
                    off = Math.Max(off, (walk.Person.Joints[ankle].position - walk.Recorder.Animated(ankle)).magnitude);
                if (frame > 15 && !(walk.Z > 2.3 && walk.Z < 2.7)) sunk = Math.Min(sunk, walk.Above(side, 0));
            }
        }
        Rig.Print("jump", walk.Recorder.Excess, walk.Recorder.Strict, off, sunk);
    }

    // A platform that moves and turns, and carries the character; a foot that stands stays where it is on it.
    public static void Platform()
    {
        Scene.Clear();
        var platform = GameObject.CreatePrimitive(PrimitiveType.Cube).transform;
        platform.localScale = new Vector3(20, 1, 20);
        var person = new Person(1, new Random(8));
        person.Speed = 0.8f;
        person.Root.AddComponent<FootPlacement>();
        var recorder = new Recorder(person.Joints);
        double slid = 0, above = 0;
        var last = new Vector3?[2];
        var since = new int[2];
        for (int frame = 0; frame < 300; frame++)
        {
            float time = frame * Frame;
            person.Time = time;
            platform.position = new Vector3(2 * time, -0.5f + 0.5f * (float)Math.Sin(time), 0.5f * time);
            platform.rotation = Quaternion.AngleAxis(40 * time, Vector3.up);
            Scene.Animate = () =>
            {
                person.Root.transform.position =
                    platform.TransformPoint(new Vector3(0.1f, 0.5f, person.Speed * (time - 2.5f) / 20));
                person.Root.transform.rotation = platform.rotation;
                person.Animate();
                recorder.Animated();
            };
            Scene.Step(Frame);
            recorder.Shown(0);
            for (int side = 0; side < 2; side++)
            {
                Vector3 local = platform.InverseTransformPoint(person.Sole(side, 0.1f));
                local = new Vector3(20 * local.x, local.y, 20 * local.z);
                since[side] = person.Stands(side) ? since[side] + 1 : 0;
                if (since[side] > 14 && last[side] != null) slid = Math.Max(slid, (local - last[side].Value).magnitude);
                if (since[side] > 14) above = Math.Max(above, Math.Abs(local.y - 0.5));
                last[side] = local;
            }
        }
        Rig.Print("platform", recorder.Excess, recorder.Strict, slid, above);
    }

    // The platform on which it stands is destroyed, above a floor.
    public static void Vanish()
    {
        var walk = new Walk(z => 0);
        walk.Person.Speed = 0;
        var platform = GameObject.CreatePrimitive(PrimitiveType.Cube);
        platform.transform.localScale = new Vector3(4, 0.1f, 4);
        platform.transform.position = new Vector3(3, 0.05f, 0);
        platform.transform.position = new Vector3(0, 0.05f, 0);
        walk.Y = 0.1f;
        for (int frame = 0; frame < 120; frame++)
        {
            if (frame == 60) UnityEngine.Object.DestroyImmediate(platform);
            if (frame > 60) walk.Y = Math.Max(0, 0.1f - 0.02f * (frame - 60));
            walk.Go();
        }
        Rig.Print("vanish", walk.Recorder.Moved, walk.Above(0, 0), walk.Above(1, 0));
    }

    // The character turns about its standing foot: the foot does not turn with it.
    public static void Pivot()
    {
        var walk = new Walk(z => 0);
        walk.Person.Speed = 0;
        Quaternion before = Quaternion.identity;
        double swivelled = 0, released = 0;
        for (int frame = 0; frame < 90; frame++)
        {
            if (frame >= 30 && frame < 70)
                walk.Person.Root.transform.rotation = Quaternion.AngleAxis(1.0f * (frame - 30), Vector3.up);
            walk.Go();
            Quaternion foot = walk.Person.Legs[0, 2].rotation;
            if (frame > 29) swivelled = Math.Max(swivelled, Quaternion.Angle(foot, before));
            before = frame <= 29 ? foot : before;
            if (!walk.Feet.legs[0].Planted) released++;
        }
        Rig.Print("pivot", swivelled, released);
    }

    public static void Steep()
    {
        var walk = new Walk(z => 0);
        foreach (Collider one in Physics.Colliders)
            if (one is HeightCollider) ((HeightCollider)one).Normal = Quaternion.AngleAxis(75, Vector3.right) * Vector3.up;
        double most = 0;
        for (int frame = 0; frame < 120; frame++)
        {
            walk.Go();
            for (int side = 0; side < 2; side++)
                most = Math.Max(most, Vector3.Angle(Vector3.up, walk.Person.Sole(side, 0) - walk.Person.Sole(side, 0) + Up(walk, side)));
        }
        Rig.Print("steep", walk.Recorder.Excess, walk.Recorder.Strict, most);
    }

    static Vector3 Up(Walk walk, int side)
    {
        return Vector3.Cross(walk.Person.Sole(side, 0.1f) - walk.Person.Sole(side, 0), Vector3.right);
    }

    // Stairs of 17 / 29 up, a landing, and down again. The body rises smoothly, as a controller's does.
    public static void Stairs()
    {
        Func<double, double> stairs = z =>
        {
            double up = Math.Floor((z - 2) / 0.29) + 1, down = Math.Floor((z - 6) / 0.29) + 1;
            return 0.17 * (Math.Max(0, Math.Min(up, 8)) - Math.Max(0, Math.Min(down, 8)));
        };
        Func<double, double> ramp = z => 0.17 / 0.29
            * (Math.Max(0, Math.Min(z - 1.85, 8 * 0.29)) - Math.Max(0, Math.Min(z - 6.15, 8 * 0.29)));
        var walk = new Walk(stairs);
        walk.Person.Lift = 0.16f;
        walk.Person.Speed = 0.9f;
        double floats = 0, sinks = 0, standing = 0, off = 0;
        int settled = 0;
        var since = new int[2];
        for (int frame = 0; frame < 660; frame++)
        {
            walk.Y = (float)ramp(walk.Z);
            walk.Go();
            for (int side = 0; side < 2; side++)
            {
                since[side] = walk.Feet.legs[side].Planted ? since[side] + 1 : 0;
                double heel = Contact(walk, stairs, side, -0.03f), toe = Contact(walk, stairs, side, 0.14f);
                double lowest = Math.Min(heel, Math.Min(toe, Contact(walk, stairs, side, 0.08f)));
                if (since[side] > 12) { settled++; floats = Math.Max(floats, Math.Abs(lowest)); if (Math.Abs(lowest) > 0.005) off++; }
                if (since[side] > 0) standing++;
                sinks = Math.Min(sinks, lowest);
            }
        }
        Rig.Print("stairs", walk.Recorder.Excess, walk.Recorder.Strict, floats, sinks, standing / 1320, off / settled);
    }

    static double Contact(Walk walk, Func<double, double> ground, int side, float ahead)
    {
        Vector3 p = walk.Person.Sole(side, ahead);
        return p.y - ground(p.z);
    }

    // One's own colliders on the ground's layer, triggers, and another character close by are no ground.
    public static void Crowd()
    {
        var poses = new List<string>();
        for (int run = 0; run < 2; run++)
        {
            var walk = new Walk(Slope(-8));
            if (run == 1)
            {
                for (int side = 0; side < 2; side++)
                    for (int k = 0; k < 4; k++)
                    {
                        var own = new GameObject("Own").AddComponent<BoxCollider>();
                        own.transform.SetParent(walk.Person.Legs[side, k], false);
                        own.transform.localScale = 0.2f * Vector3.one;
                    }
                walk.Person.Root.AddComponent<CharacterController>();
                var trigger = new GameObject("Trigger").AddComponent<BoxCollider>();
                trigger.isTrigger = true;
                trigger.transform.localScale = new Vector3(50, 0.3f, 50);
                var other = new Walk(Slope(-8), 1, false);
                other.Person.Root.AddComponent<CharacterController>();
                other.Carried = new Vector3(0.05f, 0, 0.02f);
                Scene.Animate = null;
            }
            for (int frame = 0; frame < 120; frame++)
            {
                walk.Go();
                poses.Add(Bits(walk.Person));
            }
        }
        int different = 0;
        for (int k = 0; k < 120; k++) if (poses[k] != poses[120 + k]) different++;
        Rig.Print("crowd", different);
    }

    // --- targets

    // A target that crosses the line of the pole at several distances; one that goes round the limb's root.
    public static void PoleLine()
    {
        foreach (double offset in new[] { 0, 1e-4, 0.01, 0.05 })
        {
            Person person = Start("limb", 1, out LimbComponent component);
            var limb = (TwoBoneLimb)component;
            limb.rotationWeight = 0;
            Vector3 origin = limb.root.position;
            limb.pole.position = origin + 0.5f * Vector3.forward;
            double worst = 0, ratio = 0;
            Vector3? elbow = null;
            Vector3 place = Vector3.zero;
            for (int frame = 0; frame < 200; frame++)
            {
                float x = Math.Max(-0.3f, 0.3f - 0.005f * frame);
                Vector3 next = origin + new Vector3(x, (float)offset, 0.35f);
                double target = frame == 0 ? 0 : (next - place).magnitude;
                limb.target.position = place = next;
                Scene.Animate = person.Animate;
                Scene.Step(Frame);
                double moved = elbow == null ? 0 : (limb.middle.position - elbow.Value).magnitude;
                elbow = limb.middle.position;
                worst = Math.Max(worst, moved);
                if (frame > 0 && frame < 120) ratio = Math.Max(ratio, moved / target);
            }
            Vector3 way = place - origin;
            float side = Vector3.Dot(
                Vector3.ProjectOnPlane(limb.middle.position - origin, way).normalized,
                Vector3.ProjectOnPlane(Vector3.forward, way).normalized);
            Rig.Print("pole", worst, ratio, side, (limb.tip.position - place).magnitude);
        }
    }

    // A target that walks round the head, and one that jumps behind it: degrees in a frame, and the way it turns.
    public static void LookBehind()
    {
        Person person = Start("look", 1, out LimbComponent component);
        var look = (LookAt)component;
        Scene.Animate = person.Animate;
        double fastest = 0, most = 0;
        Quaternion before = person.Head.rotation, animated = before;
        for (int frame = 0; frame < 720; frame++)
        {
            look.target.position = person.Head.position
                + Quaternion.AngleAxis(frame, Vector3.up) * new Vector3(0, 0.1f, 2);
            Scene.Step(Frame);
            fastest = Math.Max(fastest, Quaternion.Angle(before, person.Head.rotation) / Frame);
            most = Math.Max(most, Quaternion.Angle(animated, person.Head.rotation));
            before = person.Head.rotation;
        }
        look.target.position = person.Head.position + new Vector3(0.02f, 0, 2);
        for (int frame = 0; frame < 120; frame++) Scene.Step(Frame);
        Rig.Print("look", fastest, most, Quaternion.Angle(animated, person.Head.rotation));
    }

    // --- bodies

    // Four ends at once, within and out of reach: how far hands and feet are from their targets, and the pelvis's shift.
    public static void Ends()
    {
        var random = new Random(2);
        for (int k = 0; k < 100; k++)
        {
            Scene.Clear();
            var person = new Person(1, random);
            person.Time = (float)random.NextDouble();
            person.Animate();
            var body = person.Root.AddComponent<FullBody>();
            Vector3 pelvis = person.Pelvis.position, shift = Rig.Any(random, 0.15f);
            for (int end = 0; end < 4; end++)  // places that a shifted pelvis reaches
            {
                FullBody.End one = body.ends[end];
                float length = (one.middle.position - one.root.position).magnitude
                    + (one.tip.position - one.middle.position).magnitude;
                Vector3 way = (one.tip.position - one.root.position).normalized + Rig.Any(random, 0.3f);
                float reach = (0.6f + 0.35f * (float)random.NextDouble()) * length;
                one.target = Rig.At(one.root.position + shift + reach * way.normalized, Rig.Turn(random));
            }
            Scene.Step(Frame);
            double worst = 0;
            foreach (FullBody.End one in body.ends)
                worst = Math.Max(worst, (one.tip.position - one.target.position).magnitude);
            Rig.Print("ends", worst, (person.Pelvis.position - pelvis).magnitude - shift.magnitude);
        }
    }

    public static void Swing(string[] given)
    {
        foreach (string one in given)
        {
            double[] numbers = one.Split(',').Select(Number).ToArray();
            var type = typeof(LimbComponent).Assembly.GetType("Limbik.Springs");
            var step = (Vector4)type.GetMethod("Swing").Invoke(
                null, new object[] { (float)numbers[0], (float)numbers[1], (float)numbers[2] });
            Rig.Print("swing", step.x, step.y, step.z, step.w);
        }
    }

    // A tail on a body that starts and stops: how far its tip is from the animation, at two frame rates; at rest, nothing.
    public static void Tail()
    {
        foreach (float step in new[] { 1f / 60, 1f / 240 })
        {
            Scene.Clear();
            var root = new GameObject("Body").transform;
            var bones = new Transform[4];
            for (int k = 0; k < 4; k++)
            {
                bones[k] = new GameObject("Tail" + k).transform;
                bones[k].SetParent(k == 0 ? root : bones[k - 1], false);
                bones[k].localPosition = new Vector3(0, 0, -0.2f);
            }
            var tail = root.gameObject.AddComponent<SpringChain>();
            tail.bones = bones;
            tail.damping = 0.3f;
            double most = 0, last = 0, length = 0, early = 0;
            for (int frame = 0; frame * step < 6; frame++)
            {
                float time = frame * step, x = Math.Max(0, Math.Min(time - 0.5f, 1));
                root.position = new Vector3(2 * (x * x * (3 - 2 * x)), 0, 0);
                Scene.Step(step);
                Vector3 tip = bones[3].TransformPoint(bones[3].localPosition) - root.position;
                last = (tip - new Vector3(0, 0, -1f)).magnitude;
                if (time < 0.5f) early = Math.Max(early, last);
                most = Math.Max(most, last);
                length = Math.Max(length, Math.Abs((bones[3].position - bones[2].position).magnitude - 0.2));
            }
            root.position += new Vector3(10, 0, 0);  // a teleport does not whip the tail
            Scene.Step(step);
            Vector3 end = bones[3].TransformPoint(bones[3].localPosition) - root.position;
            Rig.Print("tail", most, last, length, early, (end - new Vector3(0, 0, -1f)).magnitude);
        }
    }

    // --- faults

    public static void Faults()
    {
        Scene.Clear();
        HeightCollider.Add((x, z) => 0);
        var person = new Person();
        person.Animate();
        var limb = person.Root.AddComponent<TwoBoneLimb>();
        limb.root = person.Arms[1, 0];
        limb.tip = person.Arms[1, 2];
        limb.middle = null;
        limb.target = Rig.At(Vector3.one, Quaternion.identity);
        for (int frame = 0; frame < 5; frame++) Scene.Step(Frame);
        Rig.Print("null", Debug.Messages.Count(one => one.Contains("bone 2 is not set")), Debug.Messages.Count);
        limb.middle = person.Arms[1, 1];  // set later: it works
        Scene.Step(Frame);
        Rig.Print("set", limb.Problem == null ? 0 : 1);
        UnityEngine.Object.DestroyImmediate(person.Arms[1, 2].gameObject);
        for (int frame = 0; frame < 5; frame++) Scene.Step(Frame);
        Rig.Print("destroyed", Debug.Messages.Count(one => one.Contains("bone 3 is not set")));
        limb.enabled = false;

        Scene.Clear();
        HeightCollider.Add((x, z) => 0);
        person = new Person();
        person.Animate();
        person.Pelvis.localScale = new Vector3(1, 1.5f, 1);
        string before = Bits(person);
        person.Root.AddComponent<FootPlacement>();
        for (int frame = 0; frame < 5; frame++) Scene.Step(Frame);
        Rig.Print("scale", Debug.Messages.Count(one => one.Contains("make it uniform")), Bits(person) == before ? 0 : 1);
        person.Pelvis.localScale = Vector3.one;
        Scene.Step(Frame);
        var chain = person.Root.AddComponent<BoneChain>();
        chain.joints = new[] { person.Legs[0, 0], person.Legs[0, 1] };
        for (int frame = 0; frame < 3; frame++) Scene.Step(Frame);
        Rig.Print("chain", Debug.Messages.Count(one => one.Contains("2 joints are set")));
        Rig.Print("mended", person.Root.GetComponent<FootPlacement>().Problem == null ? 0 : 1);
    }

    public static byte[] kept;

    // Bytes allocated in a thousand frames of all components at once, by collections of the youngest generation.
    public static void Garbage()
    {
        var walk = new Walk(Slope(-5));
        foreach (string kind in Kinds.Take(6)) Add(kind, walk.Person, new Random(1));
        Scene.Animate = null;
        for (int frame = 0; frame < 50; frame++) Scene.Step(Frame);
        GC.Collect();
        int before = GC.CollectionCount(0);
        for (int frame = 0; frame < 10000; frame++) Scene.Step(Frame);
        Rig.Print("garbage", GC.CollectionCount(0) - before);
        before = GC.CollectionCount(0);
        for (int frame = 0; frame < 10000; frame++) kept = new byte[100];
        Rig.Print("control", GC.CollectionCount(0) - before);
    }

    // The scripts of docs/unity.md: how far soles of standing feet are from a slope, with LegIK and as animated.
    public static void Typed()
    {
        var walk = new Walk(Slope(-10));
        walk.Feet.enabled = false;
        for (int side = 0; side < 2; side++)
        {
            var leg = walk.Person.Root.AddComponent<LegIK>();
            leg.hip = walk.Person.Legs[side, 0];
            leg.knee = walk.Person.Legs[side, 1];
            leg.ankle = walk.Person.Legs[side, 2];
        }
        double above = 0, animated = 0;
        for (int frame = 0; frame < 200; frame++)
        {
            walk.Go();
            for (int side = 0; side < 2; side++)
            {
                if (!walk.Person.Stands(side)) continue;
                above = Math.Max(above, Math.Abs(walk.Above(side, 0)));
                Vector3 foot = walk.Recorder.Animated(walk.Person.Joints.IndexOf(walk.Person.Legs[side, 2]));
                animated = Math.Max(animated, Math.Abs(foot.y - Person.AnkleHeight - walk.Ground(foot.z)));
            }
        }
        Rig.Print("typed", above, animated);

        Scene.Clear();
        HeightCollider.Add((x, z) => 0);
        GameObject spider = SampleScene.AddSpider(Vector3.zero);
        spider.AddComponent<SteerCreature>();
        Input.Axes["Vertical"] = 1;
        Input.Axes["Horizontal"] = 0.3f;
        for (int frame = 0; frame < 150; frame++) Scene.Step(Frame);
        Rig.Print("steered", spider.transform.position.magnitude, Vector3.Angle(Vector3.forward, spider.transform.forward));
    }

    // --- what the menu makes

    public static void Sample()
    {
        Scene.Clear();
        Debug.Messages.Clear();
        Vector3 place = new Vector3(3, 0, 2);
        SampleScene.AddCourse(place);
        GameObject figure = SampleScene.AddFigure(place);
        var feet = figure.GetComponent<FootPlacement>();
        var walk = figure.GetComponent<WalkingSample>();
        var recorder = new Recorder(walk.joints.ToList());
        Scene.Animate = recorder.Animated;
        double highest = 0, off = 0;
        int planted = 0, air = 0;
        var since = new int[2];
        for (int frame = 0; frame < 900; frame++)
        {
            Scene.Step(Frame);
            recorder.Shown(0);
            for (int side = 0; side < 2; side++)
            {
                since[side] = feet.legs[side].Planted ? since[side] + 1 : 0;
                planted += feet.legs[side].Planted ? 1 : 0;
                if (since[side] > 15 && figure.transform.position.z < 3.5f)  // before the ramp: the floor is at 0
                    off = Math.Max(off, Math.Abs(LowestVertex(figure, feet.legs[side].ankle)));
            }
            air += feet.InAir ? 1 : 0;
            highest = Math.Max(highest, figure.transform.position.y);
        }
        Rig.Print("sample", recorder.Excess, recorder.Strict, planted / 1800.0, highest, air, Debug.Messages.Count,
            off);
    }

    // The sample's figure on its course, for a picture: writes the places and rotations of its joints as float32, and
    // prints the boxes of the course: place, size, degrees about x.
    public static void Course(string[] given)
    {
        Scene.Clear();
        GameObject course = SampleScene.AddCourse(Vector3.zero);
        for (int k = 0; k < course.transform.childCount; k++)
        {
            Transform box = course.transform.GetChild(k);
            Vector3 p = box.position, s = box.localScale;
            Rig.Print("box", p.x, p.y, p.z, s.x, s.y, s.z, Vector3.SignedAngle(Vector3.up, box.up, Vector3.right));
        }
        var walk = SampleScene.AddFigure(Vector3.zero).GetComponent<WalkingSample>();
        using (var target = new System.IO.BinaryWriter(System.IO.File.Create(given[0])))
            for (int frame = 0; frame < 840; frame++)
            {
                Scene.Step(Frame);
                foreach (Transform joint in walk.joints)
                {
                    Vector3 p = joint.position;
                    Quaternion q = joint.rotation;
                    foreach (float x in new[] { p.x, p.y, p.z, q.x, q.y, q.z, q.w }) target.Write(x);
                }
            }
    }

    // The height of the lowest vertex of a skin that follows a bone.
    static double LowestVertex(GameObject figure, Transform bone)
    {
        var skin = figure.transform.GetComponentInChildren<SkinnedMeshRenderer>();
        Mesh mesh = skin.sharedMesh;
        int number = Array.IndexOf(skin.bones, bone);
        double lowest = double.PositiveInfinity;
        for (int k = 0; k < mesh.vertices.Length; k++)
            if (mesh.boneWeights[k].boneIndex0 == number && mesh.boneWeights[k].weight0 > 0.9f)
                lowest = Math.Min(lowest, bone.TransformPoint(mesh.bindposes[number].MultiplyPoint3x4(mesh.vertices[k])).y);
        return lowest;
    }

    // A spider on a slope with a step; where it goes, turns, and how its feet stand. Then on a plane, for comparison.
    public static void Spider()
    {
        Scene.Clear();
        HeightCollider.Add((x, z) => 0);
        GameObject spider = SampleScene.AddSpider(new Vector3(0.5f, 0, -1));
        var creature = spider.GetComponent<SpiderCreature>();
        creature.Move(new Vector3(0.2f, 0, 0.4f));
        for (int frame = 0; frame < 240; frame++) Scene.Step(Frame);
        foreach (Transform joint in creature.joints)
            Rig.Print("joint", joint.position.x, joint.position.y, joint.position.z);
        var skin = spider.transform.GetComponentInChildren<SkinnedMeshRenderer>();
        Rig.Print("skin", skin.sharedMesh.vertices.Length, skin.sharedMesh.Triangles.Sum(one => one.Length),
            skin.sharedMesh.Triangles.Max(one => one.Max()), skin.sharedMaterials.Length);
        Rig.Print("place", spider.transform.position.x, spider.transform.position.y, spider.transform.position.z);
        spider.transform.position = new Vector3(5, 0, 5);  // a teleport
        creature.Move(Vector3.zero);
        for (int frame = 0; frame < 30; frame++) Scene.Step(Frame);
        Rig.Print("moved", spider.transform.position.x, spider.transform.position.y, spider.transform.position.z);
    }
}
