// A stand-in for the parts of UnityEngine, UnityEditor and Unity.Mathematics that the package uses, so that its
// components can be compiled and run without Unity. What it does follows Unity's documentation, page by page:
// S: https://docs.unity3d.com/2021.3/Documentation/ScriptReference/, M: https://docs.unity3d.com/2021.3/Documentation/Manual/
using System;
using System.Collections.Generic;
using System.Reflection;

namespace UnityEngine
{
    public struct Vector3 : IEquatable<Vector3>
    {
        public float x, y, z;
        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static Vector3 zero { get { return new Vector3(0, 0, 0); } }
        public static Vector3 one { get { return new Vector3(1, 1, 1); } }
        public static Vector3 up { get { return new Vector3(0, 1, 0); } }
        public static Vector3 down { get { return new Vector3(0, -1, 0); } }
        public static Vector3 forward { get { return new Vector3(0, 0, 1); } }
        public static Vector3 right { get { return new Vector3(1, 0, 0); } }
        public float sqrMagnitude { get { return x * x + y * y + z * z; } }
        public float magnitude { get { return (float)Math.Sqrt(sqrMagnitude); } }
        // S Vector3.Normalize: "If this vector is too small to be normalized it will be set to zero."
        public Vector3 normalized { get { float m = magnitude; return m > 1e-5f ? this * (1 / m) : zero; } }
        public static Vector3 operator +(Vector3 a, Vector3 b) { return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z); }
        public static Vector3 operator -(Vector3 a, Vector3 b) { return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z); }
        public static Vector3 operator -(Vector3 a) { return new Vector3(-a.x, -a.y, -a.z); }
        public static Vector3 operator *(Vector3 a, float k) { return new Vector3(a.x * k, a.y * k, a.z * k); }
        public static Vector3 operator *(float k, Vector3 a) { return a * k; }
        public static Vector3 operator /(Vector3 a, float k) { return new Vector3(a.x / k, a.y / k, a.z / k); }
        // S Vector3.operator ==: "to allow for floating point inaccuracies, the two vectors are considered equal if the
        // magnitude of their difference is less than 1e-5." Equals is exact.
        public static bool operator ==(Vector3 a, Vector3 b) { return (a - b).sqrMagnitude < 1e-10f; }
        public static bool operator !=(Vector3 a, Vector3 b) { return !(a == b); }
        public bool Equals(Vector3 o) { return x == o.x && y == o.y && z == o.z; }
        public override bool Equals(object o) { return o is Vector3 && Equals((Vector3)o); }
        public override int GetHashCode() { return x.GetHashCode() ^ y.GetHashCode() ^ z.GetHashCode(); }
        public static float Dot(Vector3 a, Vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
        public static Vector3 Cross(Vector3 a, Vector3 b)
        {
            return new Vector3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
        }
        // S Vector3.Lerp: "t is clamped to the range [0, 1]".
        public static Vector3 Lerp(Vector3 a, Vector3 b, float t) { return a + (b - a) * Mathf.Clamp01(t); }
        public static Vector3 Slerp(Vector3 a, Vector3 b, float t)
        {
            Quaternion turn = Quaternion.Slerp(Quaternion.identity, Quaternion.FromToRotation(a, b), Mathf.Clamp01(t));
            return turn * a.normalized * Mathf.Lerp(a.magnitude, b.magnitude, t);
        }
        public static float Angle(Vector3 a, Vector3 b)
        {
            return (float)(Math.Atan2(Cross(a, b).magnitude, Dot(a, b)) * 180 / Math.PI);
        }
        public static float SignedAngle(Vector3 from, Vector3 to, Vector3 axis)
        {
            return Angle(from, to) * (Dot(axis, Cross(from, to)) < 0 ? -1 : 1);
        }
        public static Vector3 ProjectOnPlane(Vector3 v, Vector3 normal)
        {
            float square = normal.sqrMagnitude;
            return square < 1e-12f ? v : v - normal * (Dot(v, normal) / square);
        }
        public static Vector3 RotateTowards(Vector3 from, Vector3 to, float radians, float magnitude)
        {
            float angle = Angle(from, to) * Mathf.Deg2Rad;
            return angle < 1e-6f ? to : Slerp(from, to, Math.Min(1, radians / angle));
        }
        public override string ToString() { return "(" + x + ", " + y + ", " + z + ")"; }
    }

    public struct Vector4
    {
        public float x, y, z, w;
        public Vector4(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
    }

    public struct Quaternion : IEquatable<Quaternion>
    {
        public float x, y, z, w;
        public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
        public static Quaternion identity { get { return new Quaternion(0, 0, 0, 1); } }
        public bool Equals(Quaternion o) { return x == o.x && y == o.y && z == o.z && w == o.w; }
        public override bool Equals(object o) { return o is Quaternion && Equals((Quaternion)o); }
        public override int GetHashCode() { return x.GetHashCode() ^ y.GetHashCode() ^ w.GetHashCode(); }
        public static Quaternion Inverse(Quaternion q) { return new Quaternion(-q.x, -q.y, -q.z, q.w); }
        public static Quaternion operator *(Quaternion p, Quaternion q)
        {
            return new Quaternion(
                p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w,
                p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z);
        }
        public static Vector3 operator *(Quaternion q, Vector3 v)
        {
            Vector3 u = new Vector3(q.x, q.y, q.z), t = 2 * Vector3.Cross(u, v);
            return v + q.w * t + Vector3.Cross(u, t);
        }
        public static float Dot(Quaternion p, Quaternion q) { return p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w; }
        public static Quaternion AngleAxis(float degrees, Vector3 axis)
        {
            double half = degrees * Math.PI / 360;
            Vector3 u = axis.normalized * (float)Math.Sin(half);
            return new Quaternion(u.x, u.y, u.z, (float)Math.Cos(half));
        }
        public void ToAngleAxis(out float degrees, out Vector3 axis)
        {
            var v = new Vector3(x, y, z) * (w < 0 ? -1 : 1);
            degrees = (float)(Math.Atan2(v.magnitude, Math.Abs(w)) * 360 / Math.PI);
            axis = v.magnitude > 1e-12f ? v / v.magnitude : Vector3.right;
        }
        public static Quaternion FromToRotation(Vector3 a, Vector3 b)
        {
            a = a.normalized; b = b.normalized;
            Vector3 c = Vector3.Cross(a, b);
            float w = 1 + Vector3.Dot(a, b);
            if (w < 1e-6f) return AngleAxis(180, Vector3.Cross(a, Math.Abs(a.x) < 0.9f ? Vector3.right : Vector3.up));
            return Normalize(new Quaternion(c.x, c.y, c.z, w));
        }
        // S Quaternion.LookRotation: z axis along forward, x axis along the cross product of up and forward.
        public static Quaternion LookRotation(Vector3 forward) { return LookRotation(forward, Vector3.up); }
        public static Quaternion LookRotation(Vector3 forward, Vector3 up)
        {
            Vector3 z = forward / forward.magnitude, x = Vector3.Cross(up, z);
            if (x.magnitude < 1e-12f) return FromToRotation(Vector3.forward, z);
            x /= x.magnitude;
            Vector3 y = Vector3.Cross(z, x);
            double trace = x.x + y.y + z.z;
            double w, a, b, c;
            if (trace > 0)
            {
                double s = Math.Sqrt(trace + 1) * 2;
                w = s / 4; a = (y.z - z.y) / s; b = (z.x - x.z) / s; c = (x.y - y.x) / s;
            }
            else if (x.x > y.y && x.x > z.z)
            {
                double s = Math.Sqrt(1 + x.x - y.y - z.z) * 2;
                w = (y.z - z.y) / s; a = s / 4; b = (y.x + x.y) / s; c = (z.x + x.z) / s;
            }
            else if (y.y > z.z)
            {
                double s = Math.Sqrt(1 + y.y - x.x - z.z) * 2;
                w = (z.x - x.z) / s; a = (y.x + x.y) / s; b = s / 4; c = (z.y + y.z) / s;
            }
            else
            {
                double s = Math.Sqrt(1 + z.z - x.x - y.y) * 2;
                w = (x.y - y.x) / s; a = (z.x + x.z) / s; b = (z.y + y.z) / s; c = s / 4;
            }
            return Normalize(new Quaternion((float)a, (float)b, (float)c, (float)w));
        }
        // S Quaternion.Slerp: by the shorter way, t clamped.
        public static Quaternion Slerp(Quaternion p, Quaternion q, float t)
        {
            t = Mathf.Clamp01(t);
            double c = Dot(p, q), s = c < 0 ? -1 : 1;
            double angle = Math.Acos(Math.Min(1, c * s));
            double a = 1 - t, b = t;
            if (angle > 1e-4) { a = Math.Sin(a * angle) / Math.Sin(angle); b = Math.Sin(b * angle) / Math.Sin(angle); }
            b *= s;
            return Normalize(new Quaternion(
                (float)(a * p.x + b * q.x), (float)(a * p.y + b * q.y),
                (float)(a * p.z + b * q.z), (float)(a * p.w + b * q.w)));
        }
        public static float Angle(Quaternion p, Quaternion q)
        {
            Quaternion d = Inverse(p) * q;
            return (float)(Math.Atan2(new Vector3(d.x, d.y, d.z).magnitude, Math.Abs(d.w)) * 360 / Math.PI);
        }
        // S Quaternion.RotateTowards: "the rotation will not overshoot".
        public static Quaternion RotateTowards(Quaternion p, Quaternion q, float degrees)
        {
            float angle = Angle(p, q);
            return angle < 1e-6f ? q : Slerp(p, q, Math.Min(1, degrees / angle));
        }
        static Quaternion Normalize(Quaternion q)
        {
            float m = (float)Math.Sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
            return new Quaternion(q.x / m, q.y / m, q.z / m, q.w / m);
        }
    }

    public static class Mathf
    {
        public const float PI = (float)Math.PI, Deg2Rad = (float)Math.PI / 180, Rad2Deg = 180 / (float)Math.PI;
        public static float Max(float a, float b) { return a > b ? a : b; }
        public static float Min(float a, float b) { return a < b ? a : b; }
        public static float Abs(float a) { return Math.Abs(a); }
        public static float Sign(float a) { return a < 0 ? -1 : 1; }  // S Mathf.Sign: 1 when f is positive or zero
        public static float Sqrt(float a) { return (float)Math.Sqrt(a); }
        public static float Exp(float a) { return (float)Math.Exp(a); }
        public static float Sin(float a) { return (float)Math.Sin(a); }
        public static float Cos(float a) { return (float)Math.Cos(a); }
        public static float Acos(float a) { return (float)Math.Acos(a); }
        public static int FloorToInt(float a) { return (int)Math.Floor(a); }
        public static float Clamp(float a, float low, float high) { return a < low ? low : a > high ? high : a; }
        public static float Clamp01(float t) { return t < 0 ? 0 : t > 1 ? 1 : t; }
        public static float Lerp(float a, float b, float t) { return a + (b - a) * Clamp01(t); }
        public static float InverseLerp(float a, float b, float v) { return Clamp01((v - a) / (b - a)); }
        public static float SmoothStep(float a, float b, float t)
        {
            t = Clamp01(t);
            t = t * t * (3 - 2 * t);
            return a + (b - a) * t;
        }
        public static float Repeat(float t, float length) { return t - (float)Math.Floor(t / length) * length; }
        public static float PingPong(float t, float length)
        {
            t = Repeat(t, 2 * length);
            return length - Math.Abs(t - length);
        }
    }

    public class Object
    {
        public string name = "";
        bool destroyed;
        // S Object.operator ==: a destroyed object compares equal to null.
        static bool Gone(Object o) { return ReferenceEquals(o, null) || o.destroyed; }
        public static bool operator ==(Object a, Object b)
        {
            return Gone(a) || Gone(b) ? Gone(a) && Gone(b) : ReferenceEquals(a, b);
        }
        public static bool operator !=(Object a, Object b) { return !(a == b); }
        public override bool Equals(object other) { return ReferenceEquals(this, other); }
        public override int GetHashCode() { return base.GetHashCode(); }
        public static void DestroyImmediate(Object what)
        {
            var whole = what as GameObject;
            if (!ReferenceEquals(whole, null)) whole.TearDown();
            what.destroyed = true;
        }
        public static void Destroy(Object what) { DestroyImmediate(what); }
        internal void MarkDestroyed() { destroyed = true; }
    }

    public class Component : Object
    {
        public GameObject gameObject;
        public Transform transform { get { return gameObject.place; } }
        public T GetComponent<T>() where T : Component { return gameObject.Find<T>(); }
        // S Component.GetComponentInParent: "in the GameObject or any parent".
        public T GetComponentInParent<T>() where T : Component
        {
            for (Transform at = transform; at != null; at = at.parent)
            {
                var found = at.gameObject.Find<T>();
                if (found != null) return found;
            }
            return null;
        }
        public T[] GetComponentsInChildren<T>() where T : Component
        {
            var found = new List<T>();
            transform.Collect(found);
            return found.ToArray();
        }
        public T GetComponentInChildren<T>() where T : Component
        {
            T[] found = GetComponentsInChildren<T>();
            return found.Length > 0 ? found[0] : null;
        }
    }

    public class Behaviour : Component
    {
        bool on = true;
        public bool enabled
        {
            get { return on; }
            set
            {
                if (on == value) return;
                on = value;
                Scene.Send(this, value ? "OnEnable" : "OnDisable");
            }
        }
    }

    public class MonoBehaviour : Behaviour { }

    // M ExecutionOrder.html: Awake and OnEnable when a component is added to an active object; Start before its first
    // frame; then in each frame Update of all, the animators, LateUpdate of all. M class-MonoManager.html and
    // DefaultExecutionOrder: lower orders first, for each of these.
    public static class Scene
    {
        static readonly List<MonoBehaviour> All = new List<MonoBehaviour>();
        static readonly Dictionary<MonoBehaviour, Action> Updates = new Dictionary<MonoBehaviour, Action>();
        static readonly Dictionary<MonoBehaviour, Action> LateUpdates = new Dictionary<MonoBehaviour, Action>();
        public static Action Animate;  // what animators do in this frame

        static MethodInfo Message(object of, string name)
        {
            for (Type type = of.GetType(); type != typeof(MonoBehaviour) && type != null; type = type.BaseType)
            {
                var found = type.GetMethod(
                    name, BindingFlags.NonPublic | BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly,
                    null, Type.EmptyTypes, null);
                if (found != null) return found;
            }
            return null;
        }

        internal static void Send(object to, string name)
        {
            var method = Message(to, name);
            if (method == null) return;
            try { method.Invoke(to, null); }
            catch (TargetInvocationException error) { throw new Exception(error.InnerException.ToString()); }
        }

        static Action Bound(MonoBehaviour to, string name)
        {
            var method = Message(to, name);
            return method == null ? null : (Action)Delegate.CreateDelegate(typeof(Action), to, method);
        }

        internal static void Add(MonoBehaviour one)
        {
            int order = Order(one), at = 0;
            while (at < All.Count && Order(All[at]) <= order) at++;
            All.Insert(at, one);
            Updates[one] = Bound(one, "Update");
            LateUpdates[one] = Bound(one, "LateUpdate");
            Send(one, "Awake");
            Send(one, "OnEnable");
        }

        internal static void Remove(MonoBehaviour one)
        {
            if (one.enabled) Send(one, "OnDisable");
            All.Remove(one);
        }

        static int Order(MonoBehaviour one)
        {
            var found = (DefaultExecutionOrder)Attribute.GetCustomAttribute(
                one.GetType(), typeof(DefaultExecutionOrder), true);
            return found == null ? 0 : found.order;
        }

        public static void Step(float seconds)
        {
            Time.frameCount++;
            Time.deltaTime = seconds;
            Run(Updates);
            if (Animate != null) Animate();
            Run(LateUpdates);
        }

        static void Run(Dictionary<MonoBehaviour, Action> messages)
        {
            for (int k = 0; k < All.Count; k++)
            {
                Action message = messages[All[k]];
                if (message != null && All[k].enabled && All[k].gameObject.activeSelf) message();
            }
        }

        public static void Clear()
        {
            All.Clear();
            Updates.Clear();
            LateUpdates.Clear();
            Physics.Colliders.Clear();
            Debug.Messages.Clear();
            Animate = null;
        }
    }

    public enum PrimitiveType { Cube }

    public class GameObject : Object
    {
        internal Transform place;
        public int layer;
        bool active = true;
        readonly List<Component> components = new List<Component>();
        public GameObject() : this("New Game Object") { }
        public GameObject(string name)
        {
            this.name = name;
            place = new Transform { gameObject = this, name = name };
        }
        public Transform transform { get { return place; } }
        public bool activeSelf { get { return active; } }
        public T AddComponent<T>() where T : Component, new()
        {
            var made = new T { gameObject = this, name = name };
            components.Add(made);
            var collider = made as Collider;
            if (!ReferenceEquals(collider, null)) Physics.Colliders.Add(collider);
            var behaviour = made as MonoBehaviour;
            if (!ReferenceEquals(behaviour, null)) Scene.Add(behaviour);
            return made;
        }
        public T GetComponent<T>() where T : Component { return Find<T>(); }
        internal T Find<T>() where T : Component { return (T)components.Find(one => one is T); }
        internal void Collect<T>(List<T> found) where T : Component
        {
            foreach (Component one in components) if (one is T) found.Add((T)one);
        }
        internal void TearDown()
        {
            foreach (Component one in components)
            {
                if (one is MonoBehaviour) Scene.Remove((MonoBehaviour)one);
                if (one is Collider) Physics.Colliders.Remove((Collider)one);
                one.MarkDestroyed();
            }
            for (int k = place.childCount - 1; k >= 0; k--) Object.DestroyImmediate(place.GetChild(k).gameObject);
            place.SetParent(null, true);
            place.MarkDestroyed();
        }
        // S GameObject.CreatePrimitive: "with a primitive mesh renderer and appropriate collider".
        public static GameObject CreatePrimitive(PrimitiveType type)
        {
            var made = new GameObject(type.ToString());
            made.AddComponent<MeshRenderer>();
            made.AddComponent<BoxCollider>();
            return made;
        }
    }

    public class Transform : Component
    {
        readonly List<Transform> children = new List<Transform>();
        Transform above;
        public Vector3 localPosition, localScale = Vector3.one;
        public Quaternion localRotation = Quaternion.identity;
        public Transform parent { get { return above; } set { SetParent(value, true); } }
        public int childCount { get { return children.Count; } }
        public Transform GetChild(int k) { return children[k]; }
        public void SetParent(Transform parent, bool worldPositionStays)
        {
            Vector3 place = position;
            Quaternion turned = rotation;
            if (above != null) above.children.Remove(this);
            above = parent;
            if (above != null) above.children.Add(this);
            if (worldPositionStays) { position = place; rotation = turned; }
        }
        internal void Collect<T>(List<T> found) where T : Component
        {
            gameObject.Collect(found);
            foreach (Transform child in children) child.Collect(found);
        }
        // S Transform.IsChildOf: "is this transform a child of parent": also itself, and deep children.
        public bool IsChildOf(Transform other)
        {
            for (Transform at = this; at != null; at = at.above) if (at == other) return true;
            return false;
        }
        // S Transform.TransformPoint: affected by scale; parents' scales skew what is rotated below them.
        public Vector3 TransformPoint(Vector3 v) { return Up(localPosition + localRotation * Scaled(v, localScale)); }
        Vector3 Up(Vector3 v) { return above == null ? v : above.TransformPoint(v); }
        public Vector3 InverseTransformPoint(Vector3 v)
        {
            Vector3 u = Quaternion.Inverse(localRotation) * ((above == null ? v : above.InverseTransformPoint(v)) - localPosition);
            return new Vector3(u.x / localScale.x, u.y / localScale.y, u.z / localScale.z);
        }
        static Vector3 Scaled(Vector3 v, Vector3 by) { return new Vector3(v.x * by.x, v.y * by.y, v.z * by.z); }
        // S Transform.lossyScale: exact where nothing is skewed.
        public Vector3 lossyScale { get { return above == null ? localScale : Scaled(localScale, above.lossyScale); } }
        public Vector3 position
        {
            get { return Up(localPosition); }
            set { localPosition = above == null ? value : above.InverseTransformPoint(value); }
        }
        public Quaternion rotation
        {
            get { return above == null ? localRotation : above.rotation * localRotation; }
            set { localRotation = above == null ? value : Quaternion.Inverse(above.rotation) * value; }
        }
        public Vector3 forward { get { return rotation * Vector3.forward; } }
        public Vector3 up { get { return rotation * Vector3.up; } }
        // S Transform.TransformDirection: not affected by scale.
        public Vector3 TransformDirection(Vector3 v) { return rotation * v; }
        public Vector3 InverseTransformDirection(Vector3 v) { return Quaternion.Inverse(rotation) * v; }
    }

    public static class Time
    {
        public static float deltaTime;
        public static int frameCount;
    }

    // S Input.GetAxis: -1 to 1.
    public static class Input
    {
        public static readonly Dictionary<string, float> Axes = new Dictionary<string, float>();
        public static float GetAxis(string name) { return Axes.ContainsKey(name) ? Axes[name] : 0; }
    }

    public static class Application { public static bool isPlaying = true; }

    public static class Debug
    {
        public static readonly List<string> Messages = new List<string>();
        public static void LogWarning(object message, Object context) { Messages.Add(message.ToString()); }
    }

    public struct LayerMask
    {
        public int value;
        public static implicit operator LayerMask(int mask) { return new LayerMask { value = mask }; }
        public static implicit operator int(LayerMask mask) { return mask.value; }
    }

    public struct RaycastHit
    {
        public Vector3 point, normal;
        public float distance;
        public Collider collider;
    }

    public enum QueryTriggerInteraction { UseGlobal, Ignore, Collide }

    public abstract class Collider : Component
    {
        public bool isTrigger;
        // Whether a ray from outside hits it: the distance and the normal there.
        public abstract bool Cast(Vector3 from, Vector3 direction, out float distance, out Vector3 normal);
    }

    public class BoxCollider : Collider
    {
        public override bool Cast(Vector3 from, Vector3 direction, out float distance, out Vector3 normal)
        {
            Vector3 o = transform.InverseTransformPoint(from), d = transform.InverseTransformPoint(from + direction) - o;
            float[] start = { o.x, o.y, o.z }, way = { d.x, d.y, d.z };
            float near = float.NegativeInfinity, far = float.PositiveInfinity;
            int face = 0;
            distance = 0;
            normal = Vector3.up;
            for (int k = 0; k < 3; k++)
            {
                if (Math.Abs(way[k]) < 1e-12f)
                {
                    if (Math.Abs(start[k]) > 0.5f) return false;
                    continue;
                }
                float a = (-0.5f - start[k]) / way[k], b = (0.5f - start[k]) / way[k];
                if (Math.Min(a, b) > near) { near = Math.Min(a, b); face = k; }
                far = Math.Min(far, Math.Max(a, b));
            }
            // S Physics.Raycast: "Raycasts will not detect Colliders for which the Raycast origin is inside the Collider."
            if (near > far || near < 0) return false;
            distance = near;
            var local = new Vector3(face == 0 ? 1 : 0, face == 1 ? 1 : 0, face == 2 ? 1 : 0);
            normal = transform.TransformDirection(local * (way[face] > 0 ? -1 : 1));
            return true;
        }
    }

    public class CharacterController : Collider
    {
        public float radius = 0.3f, height = 1.8f;
        public override bool Cast(Vector3 from, Vector3 direction, out float distance, out Vector3 normal)
        {
            // A vertical cylinder is enough here.
            Vector3 o = from - transform.position;
            normal = Vector3.up;
            distance = o.y - height;
            return o.x * o.x + o.z * o.z < radius * radius && direction.y < -0.99f && distance > 0;
        }
    }

    public class Rigidbody : Component { }

    public static class Physics
    {
        public static readonly List<Collider> Colliders = new List<Collider>();
        // S Physics.Raycast: the closest hit.
        public static bool Raycast(Vector3 from, Vector3 direction, out RaycastHit hit, float most)
        {
            var hits = new RaycastHit[16];
            int count = RaycastNonAlloc(from, direction, hits, most, ~(1 << 2), QueryTriggerInteraction.UseGlobal);
            hit = count > 0 ? hits[count - 1] : new RaycastHit();
            return count > 0;
        }
        // S Physics.RaycastNonAlloc: all hits up to the buffer's length, in no order; here the farthest first.
        public static int RaycastNonAlloc(
            Vector3 from, Vector3 direction, RaycastHit[] hits, float most, int mask, QueryTriggerInteraction triggers)
        {
            int count = 0;
            for (int k = Colliders.Count - 1; k >= 0 && count < hits.Length; k--)
            {
                Collider one = Colliders[k];
                if ((mask & (1 << one.gameObject.layer)) == 0 || !one.gameObject.activeSelf) continue;
                if (one.isTrigger && triggers != QueryTriggerInteraction.Collide) continue;
                if (!one.Cast(from, direction, out float distance, out Vector3 normal) || distance > most) continue;
                int at = count++;
                for (; at > 0 && hits[at - 1].distance < distance; at--) hits[at] = hits[at - 1];
                hits[at] = new RaycastHit
                {
                    point = from + distance * direction, normal = normal, distance = distance, collider = one
                };
            }
            return count;
        }
    }

    public struct Color
    {
        public float r, g, b;
        public Color(float r, float g, float b) { this.r = r; this.g = g; this.b = b; }
        public static Color white { get { return new Color(1, 1, 1); } }
    }

    public class Material : Object
    {
        public Color color;
        public Material(Material other) { }
    }

    public class Renderer : Component { public Material sharedMaterial; public Material[] sharedMaterials; }
    public class MeshRenderer : Renderer { }

    public struct Bounds { public Bounds(Vector3 centre, Vector3 size) { } }

    public struct BoneWeight
    {
        public int boneIndex0, boneIndex1, boneIndex2, boneIndex3;
        public float weight0, weight1, weight2, weight3;
    }

    public struct Matrix4x4
    {
        float[,] m;
        public static Matrix4x4 identity
        {
            get
            {
                var made = new Matrix4x4 { m = new float[4, 4] };
                for (int k = 0; k < 4; k++) made.m[k, k] = 1;
                return made;
            }
        }
        public float this[int row, int column] { get { return m[row, column]; } set { m[row, column] = value; } }
        public Vector3 MultiplyPoint3x4(Vector3 v)
        {
            return new Vector3(
                m[0, 0] * v.x + m[0, 1] * v.y + m[0, 2] * v.z + m[0, 3],
                m[1, 0] * v.x + m[1, 1] * v.y + m[1, 2] * v.z + m[1, 3],
                m[2, 0] * v.x + m[2, 1] * v.y + m[2, 2] * v.z + m[2, 3]);
        }
        public Matrix4x4 inverse
        {
            get
            {
                Matrix4x4 made = identity;
                double det = 0;
                for (int k = 0; k < 3; k++) det += m[0, k] * Minor(0, k);
                for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) made.m[j, i] = (float)(Minor(i, j) / det);
                Vector3 moved = made.MultiplyPoint3x4(new Vector3(m[0, 3], m[1, 3], m[2, 3]));
                made.m[0, 3] = -moved.x; made.m[1, 3] = -moved.y; made.m[2, 3] = -moved.z;
                return made;
            }
        }
        double Minor(int i, int j)
        {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            return (double)m[a, c] * m[b, d] - (double)m[a, d] * m[b, c];
        }
    }

    public class Mesh : Object
    {
        public Vector3[] vertices;
        public BoneWeight[] boneWeights;
        public Matrix4x4[] bindposes;
        public int subMeshCount;
        public bool isReadable = true;
        public readonly List<int[]> Triangles = new List<int[]>();
        public void SetTriangles(int[] triangles, int submesh) { Triangles.Add(triangles); }
        public void RecalculateNormals() { }
        public void RecalculateBounds() { }
    }

    public class SkinnedMeshRenderer : Renderer
    {
        public Mesh sharedMesh;
        public Transform[] bones = new Transform[0];
        public Transform rootBone;
        public Bounds localBounds;
    }

    public static class Gizmos
    {
        public static Color color;
        public static void DrawLine(Vector3 a, Vector3 b) { }
        public static void DrawRay(Vector3 a, Vector3 b) { }
        public static void DrawWireSphere(Vector3 a, float radius) { }
    }

    public enum HumanBodyBones
    {
        Hips, LeftUpperLeg, RightUpperLeg, LeftLowerLeg, RightLowerLeg, LeftFoot, RightFoot, Spine, Chest, Neck, Head,
        LeftShoulder, RightShoulder, LeftUpperArm, RightUpperArm, LeftLowerArm, RightLowerArm, LeftHand, RightHand,
        LeftToes, RightToes
    }

    public class Animator : Behaviour
    {
        public readonly Dictionary<HumanBodyBones, Transform> bones = new Dictionary<HumanBodyBones, Transform>();
        public bool isHuman { get { return bones.Count > 0; } }
        public float leftFeetBottomHeight, rightFeetBottomHeight;
        // S Animator.GetBoneTransform: null for a bone that the avatar does not map.
        public Transform GetBoneTransform(HumanBodyBones bone)
        {
            bones.TryGetValue(bone, out Transform found);
            return found;
        }
    }

    public class TooltipAttribute : Attribute { public TooltipAttribute(string text) { } }
    public class RangeAttribute : Attribute { public RangeAttribute(float low, float high) { } }
    public class MinAttribute : Attribute { public MinAttribute(float low) { } }
    public class AddComponentMenu : Attribute { public AddComponentMenu(string text) { } }
    public class ContextMenu : Attribute { public ContextMenu(string text) { } }
    public class RequireComponent : Attribute { public RequireComponent(Type type) { } }
    [AttributeUsage(AttributeTargets.Class, Inherited = true)]
    public class DefaultExecutionOrder : Attribute
    {
        public readonly int order;
        public DefaultExecutionOrder(int order) { this.order = order; }
    }
}

namespace UnityEditor
{
    using UnityEngine;
    [Flags] public enum GizmoType { Selected = 1, Active = 2 }
    public class DrawGizmo : Attribute { public DrawGizmo(GizmoType kind) { } }
    public class MenuItem : Attribute { public MenuItem(string path, bool validate, int order) { } }
    public static class Undo { public static void RegisterCreatedObjectUndo(Object made, string name) { } }
    public static class Selection { public static GameObject activeGameObject; }
    public class SceneView { public static SceneView lastActiveSceneView; public Vector3 pivot; }
}

namespace Unity.Mathematics
{
    public struct float2
    {
        public float x, y;
        public float2(float x, float y) { this.x = x; this.y = y; }
    }

    public struct float3
    {
        public float x, y, z;
        public float3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }
        public static implicit operator float3(UnityEngine.Vector3 v) { return new float3(v.x, v.y, v.z); }
        public static implicit operator UnityEngine.Vector3(float3 v) { return new UnityEngine.Vector3(v.x, v.y, v.z); }
    }

    public struct float4 { public float x, y, z, w; }

    public struct quaternion
    {
        public float4 value;
        public quaternion(float x, float y, float z, float w) { value.x = x; value.y = y; value.z = z; value.w = w; }
        public static implicit operator quaternion(UnityEngine.Quaternion q) { return new quaternion(q.x, q.y, q.z, q.w); }
        public static implicit operator UnityEngine.Quaternion(quaternion q)
        {
            return new UnityEngine.Quaternion(q.value.x, q.value.y, q.value.z, q.value.w);
        }
    }

    public static class math
    {
        public static float sqrt(float x) { return (float)Math.Sqrt(x); }
        public static float abs(float x) { return Math.Abs(x); }
        public static float sin(float x) { return (float)Math.Sin(x); }
        public static float cos(float x) { return (float)Math.Cos(x); }
        public static float floor(float x) { return (float)Math.Floor(x); }
        public static int asint(float x) { return BitConverter.SingleToInt32Bits(x); }
        public static float atan2(float y, float x) { return (float)Math.Atan2(y, x); }
    }
}
