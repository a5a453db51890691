using System;
using UnityEngine;

namespace Limbik
{
    /// <summary>A walker as `limbik export CREATURE --to csharp` writes it: right-handed, metres, y up.</summary>
    public interface ICreatureWalker
    {
        void Begin(double x, double z, double yaw, double beats, double idleStart, int gait);
        void KeepTo(int gait);
        void Step(double seconds, double velocityX, double velocityZ, double turn);
        void Push(double velocityX, double velocityZ);
        void Pose();
        double[] JointRotations { get; }
        double X { get; }
        double Y { get; }
        double Z { get; }
        bool Blocked { get; }
        bool AtRest { get; }
        bool Contact(int foot);
    }

    /// <summary>
    /// A creature that walks on the scene's colliders. Tell it where to go with `Move`, as a character controller; until
    /// then it wanders about, if it may. Moving its transform is a teleport.
    /// </summary>
    [DefaultExecutionOrder(-10)]
    public abstract class LimbikCreature : MonoBehaviour
    {
        [Tooltip("What counts as ground. Triggers and the creature's own colliders never do.")]
        public LayerMask ground = ~0;
        [Tooltip("How far above and below the creature the ground is searched, metres at scale 1.")]
        [Min(0.01f)] public float searchHeight = 2f;
        [Tooltip("Walks in a circle until Move is called.")]
        public bool wander = true;
        [Tooltip("The joints, root first. Build makes them.")]
        public Transform[] joints = new Transform[0];

        ICreatureWalker walker;
        Transform self;
        Vector3 velocity, place;
        Quaternion facing;
        float turn = float.NaN, level, size;

        /// <summary>A walker on ground whose height is given, metres at scale 1.</summary>
        protected abstract ICreatureWalker CreateWalker(Func<double, double, double> height);

        /// <summary>Joints and skin.</summary>
        public abstract FigureData Figure { get; }

        /// <summary>The creature's usual speed, metres a second at scale 1.</summary>
        public abstract float CruisingSpeed { get; }

        /// <summary>Whether it cannot go where it was asked to.</summary>
        public bool Blocked { get { return walker != null && walker.Blocked; } }

        /// <summary>Whether it stands still.</summary>
        public bool AtRest { get { return walker == null || walker.AtRest; } }

        /// <summary>Goes on at a velocity in the world, metres a second, facing where it goes. Zero: it stops.</summary>
        public void Move(Vector3 velocity)
        {
            Move(velocity, float.NaN);
        }

        /// <summary>Goes on at a velocity and turns by a rate, degrees a second, clockwise from above.</summary>
        public void Move(Vector3 velocity, float degreesPerSecond)
        {
            this.velocity = velocity;
            turn = degreesPerSecond;
            wander = false;
        }

        /// <summary>Adds to the body's velocity, metres a second in the world.</summary>
        public void Push(Vector3 velocity)
        {
            if (walker != null) walker.Push(-velocity.x / size, velocity.z / size);
        }

        /// <summary>Makes joints and skin, where there are none yet; the editor's menu calls it, too.</summary>
        [ContextMenu("Build Body")]
        public void Build()
        {
            if (joints.Length > 0 && joints[0] != null) return;
            joints = Figure.Build(transform);
            Begin();
            Apply();
        }

        protected void Awake() { Build(); }

        protected void OnEnable() { Begin(); }

        protected void Update()
        {
            if (!transform.position.Equals(place) || !transform.rotation.Equals(facing)) Begin();
            if (wander)
            {
                velocity = size * CruisingSpeed * transform.forward;
                turn = 20f;
            }
            if (Time.deltaTime > 0f)
                walker.Step(Time.deltaTime, -velocity.x / size, velocity.z / size, -turn * Mathf.Deg2Rad);
            Apply();
        }

        /// <summary>Sets the creature on the ground below its transform.</summary>
        void Begin()
        {
            Vector3 scale = transform.lossyScale;
            size = scale.y;
            if (Mathf.Abs(scale.x - size) + Mathf.Abs(scale.z - size) > 0.002f * Mathf.Abs(size))
                Debug.LogWarning(GetType().Name + ": the scale differs along its axes: make it uniform.", this);
            if (walker == null)
            {
                self = GroundProbe.Owner(this);
                walker = CreateWalker(Height);
            }
            place = transform.position;
            level = place.y;
            Vector3 ahead = Vector3.ProjectOnPlane(transform.forward, Vector3.up);
            float yaw = Vector3.SignedAngle(Vector3.forward, ahead, Vector3.up);
            walker.Begin(-place.x / size, place.z / size, -yaw * Mathf.Deg2Rad, 0.0, 0.0, -1);
            walker.Pose();
        }

        /// <summary>The ground's height, in the walker's axes; where there is none, that on which the creature is.</summary>
        double Height(double x, double z)
        {
            var from = new Vector3((float)-x * size, level + searchHeight * size, (float)z * size);
            Ground found = GroundProbe.Cast(from, Vector3.down, 2f * searchHeight * size, ground, self);
            return (found.Found ? found.Point.y : level) / size;
        }

        /// <summary>Turns the joints, and takes the transform along, on the ground below the root.</summary>
        void Apply()
        {
            walker.Pose();
            double[] turns = walker.JointRotations;
            for (int k = 0; k < joints.Length; k++)
            {
                var rotation = new Quaternion(
                    (float)turns[4 * k], -(float)turns[4 * k + 1], -(float)turns[4 * k + 2], (float)turns[4 * k + 3]);
                if (k > 0) joints[k].localRotation = rotation;
                else facing = rotation;
            }
            var root = size * new Vector3((float)-walker.X, (float)walker.Y, (float)walker.Z);
            Quaternion turned = facing;
            Vector3 ahead = Vector3.ProjectOnPlane(turned * Vector3.forward, Vector3.up);
            level = (float)Height(walker.X, walker.Z) * size;
            transform.position = new Vector3(root.x, level, root.z);
            transform.rotation = Quaternion.LookRotation(ahead, Vector3.up);
            place = transform.position;
            facing = transform.rotation;
            joints[0].position = root;
            joints[0].rotation = turned;
        }
    }
}
