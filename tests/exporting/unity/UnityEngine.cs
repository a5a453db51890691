// A small stand-in for the parts of UnityEngine, UnityEditor and Unity.Mathematics that the package uses, so that its
// components can be compiled and run without Unity. Axes, orders and conventions are Unity's.
using System;
using System.Collections.Generic;

namespace UnityEngine
{
    public struct Vector3
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
        public Vector3 normalized { get { float m = magnitude; return m > 1e-5f ? this * (1 / m) : zero; } }
        public static Vector3 operator +(Vector3 a, Vector3 b) { return new Vector3(a.x + b.x, a.y + b.y, a.z + b.z); }
        public static Vector3 operator -(Vector3 a, Vector3 b) { return new Vector3(a.x - b.x, a.y - b.y, a.z - b.z); }
        public static Vector3 operator -(Vector3 a) { return new Vector3(-a.x, -a.y, -a.z); }
        public static Vector3 operator *(Vector3 a, float k) { return new Vector3(a.x * k, a.y * k, a.z * k); }
        public static Vector3 operator *(float k, Vector3 a) { return a * k; }
        public static float Dot(Vector3 a, Vector3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
        public static Vector3 Cross(Vector3 a, Vector3 b)
        {
            return new Vector3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
        }
        public static Vector3 Lerp(Vector3 a, Vector3 b, float t) { return a + (b - a) * Mathf.Clamp01(t); }
        public static Vector3 Slerp(Vector3 a, Vector3 b, float t)
        {
            Quaternion turn = Quaternion.FromToRotation(a, b);
            Vector3 direction = Quaternion.Slerp(Quaternion.identity, turn, t) * a.normalized;
            return direction * Mathf.Lerp(a.magnitude, b.magnitude, t);
        }
        public static Vector3 SmoothDamp(Vector3 now, Vector3 goal, ref Vector3 speed, float time)
        {
            return new Vector3(
                Mathf.SmoothDamp(now.x, goal.x, ref speed.x, time), Mathf.SmoothDamp(now.y, goal.y, ref speed.y, time),
                Mathf.SmoothDamp(now.z, goal.z, ref speed.z, time));
        }
        public override string ToString() { return "(" + x + ", " + y + ", " + z + ")"; }
    }

    public struct Quaternion
    {
        public float x, y, z, w;
        public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }
        public static Quaternion identity { get { return new Quaternion(0, 0, 0, 1); } }
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
        public static Quaternion AngleAxis(float degrees, Vector3 axis)
        {
            double half = degrees * Math.PI / 360;
            Vector3 u = axis.normalized * (float)Math.Sin(half);
            return new Quaternion(u.x, u.y, u.z, (float)Math.Cos(half));
        }
        public static Quaternion FromToRotation(Vector3 a, Vector3 b)
        {
            a = a.normalized; b = b.normalized;
            Vector3 c = Vector3.Cross(a, b);
            float w = 1 + Vector3.Dot(a, b);
            if (w < 1e-6f) return AngleAxis(180, Vector3.Cross(a, Math.Abs(a.x) < 0.9f ? Vector3.right : Vector3.up));
            return Normalize(new Quaternion(c.x, c.y, c.z, w));
        }
        public static Quaternion Slerp(Quaternion p, Quaternion q, float t)
        {
            double c = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w, s = c < 0 ? -1 : 1;
            double angle = Math.Acos(Math.Min(1, c * s));
            double a = 1 - t, b = t;
            if (angle > 1e-4) { a = Math.Sin(a * angle) / Math.Sin(angle); b = Math.Sin(b * angle) / Math.Sin(angle); }
            b *= s;
            return Normalize(new Quaternion(
                (float)(a * p.x + b * q.x), (float)(a * p.y + b * q.y),
                (float)(a * p.z + b * q.z), (float)(a * p.w + b * q.w)));
        }
        static Quaternion Normalize(Quaternion q)
        {
            float m = (float)Math.Sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
            return new Quaternion(q.x / m, q.y / m, q.z / m, q.w / m);
        }
    }

    public static class Mathf
    {
        public const float Deg2Rad = (float)Math.PI / 180, Rad2Deg = 180 / (float)Math.PI;
        public static float Max(float a, float b) { return a > b ? a : b; }
        public static float Sqrt(float a) { return (float)Math.Sqrt(a); }
        public static float Exp(float a) { return (float)Math.Exp(a); }
        public static float Clamp01(float t) { return t < 0 ? 0 : t > 1 ? 1 : t; }
        // A critically damped spring, exactly; Unity's is an approximation of it.
        public static float SmoothDamp(float now, float goal, ref float speed, float time)
        {
            double rate = 2 / time, gap = now - goal, along = (speed + rate * gap) * Time.deltaTime;
            double fade = Math.Exp(-rate * Time.deltaTime);
            speed = (float)((speed - rate * along) * fade);
            return (float)(goal + (gap + along) * fade);
        }
        public static float Lerp(float a, float b, float t) { return a + (b - a) * Clamp01(t); }
    }

    public class Object
    {
        public static bool operator ==(Object a, Object b) { return ReferenceEquals(a, b); }
        public static bool operator !=(Object a, Object b) { return !ReferenceEquals(a, b); }
        public override bool Equals(object other) { return ReferenceEquals(this, other); }
        public override int GetHashCode() { return base.GetHashCode(); }
    }

    public class Component : Object
    {
        public GameObject gameObject;
        public Transform transform { get { return gameObject.place; } }
        public T GetComponent<T>() where T : Component { return gameObject.Find<T>(); }
    }

    public class Behaviour : Component { }
    public class MonoBehaviour : Behaviour { }

    public class GameObject : Object
    {
        internal Transform place;
        public int layer;
        readonly List<Component> components = new List<Component>();
        public GameObject() { place = new Transform { gameObject = this }; }
        public Transform transform { get { return place; } }
        public T AddComponent<T>() where T : Component, new()
        {
            var made = new T { gameObject = this };
            components.Add(made);
            return made;
        }
        public T GetComponent<T>() where T : Component { return Find<T>(); }
        internal T Find<T>() where T : Component { return (T)components.Find(one => one is T); }
    }

    public class Transform : Component
    {
        public Transform parent;
        public Vector3 localPosition;
        public Quaternion localRotation = Quaternion.identity;
        public Vector3 position
        {
            get { return parent == null ? localPosition : parent.position + parent.rotation * localPosition; }
            set
            {
                localPosition = parent == null ? value : Quaternion.Inverse(parent.rotation) * (value - parent.position);
            }
        }
        public Quaternion rotation
        {
            get { return parent == null ? localRotation : parent.rotation * localRotation; }
            set { localRotation = parent == null ? value : Quaternion.Inverse(parent.rotation) * value; }
        }
        public Vector3 forward { get { return rotation * Vector3.forward; } }
        public Vector3 TransformDirection(Vector3 v) { return rotation * v; }
        public Vector3 TransformPoint(Vector3 v) { return position + rotation * v; }
    }

    public static class Time { public static float deltaTime; }

    public struct LayerMask
    {
        public int value;
        public static implicit operator LayerMask(int mask) { return new LayerMask { value = mask }; }
        public static implicit operator int(LayerMask mask) { return mask.value; }
    }

    public struct RaycastHit { public Vector3 point, normal; public float distance; }

    public static class Physics
    {
        public delegate bool Ray(Vector3 from, Vector3 direction, out RaycastHit hit, float distance);
        public static Ray Cast;
        public static bool Raycast(Vector3 from, Vector3 direction, out RaycastHit hit, float distance, int mask)
        {
            return Cast(from, direction, out hit, distance);
        }
    }

    public struct Color
    {
        public float r, g, b;
        public Color(float r, float g, float b) { this.r = r; this.g = g; this.b = b; }
        public static Color white { get { return new Color(1, 1, 1); } }
    }

    public static class Gizmos
    {
        public static Color color;
        public static void DrawLine(Vector3 a, Vector3 b) { }
        public static void DrawRay(Vector3 a, Vector3 b) { }
        public static void DrawWireSphere(Vector3 a, float radius) { }
    }

    public enum HumanBodyBones { Hips, LeftUpperLeg, LeftLowerLeg, LeftFoot, RightUpperLeg, RightLowerLeg, RightFoot }

    public class Animator : Behaviour
    {
        public readonly Dictionary<HumanBodyBones, Transform> bones = new Dictionary<HumanBodyBones, Transform>();
        public Transform GetBoneTransform(HumanBodyBones bone) { return bones[bone]; }
    }

    public class TooltipAttribute : Attribute { public TooltipAttribute(string text) { } }
    public class RangeAttribute : Attribute { public RangeAttribute(float low, float high) { } }
    public class MinAttribute : Attribute { public MinAttribute(float low) { } }
    public class AddComponentMenu : Attribute { public AddComponentMenu(string text) { } }
    public class DefaultExecutionOrder : Attribute { public DefaultExecutionOrder(int order) { } }
    public class RequireComponent : Attribute { public RequireComponent(Type type) { } }
}

namespace UnityEditor
{
    [Flags] public enum GizmoType { Selected = 1, Active = 2 }
    public class DrawGizmo : Attribute { public DrawGizmo(GizmoType kind) { } }
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
        public static int asint(float x) { return BitConverter.ToInt32(BitConverter.GetBytes(x), 0); }
        public static float atan2(float y, float x) { return (float)Math.Atan2(y, x); }
    }
}
