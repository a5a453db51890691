using System;
using UnityEngine;

namespace Limbik
{
    public sealed partial class FootPlacement
    {
        /// <summary>
        /// A leg, and where its foot goes. The foot follows one of three points on the ground: below its path in the
        /// animation, where it is planted, or, in the air, where the animation alone would have it. When another one
        /// takes over, the foot keeps its place and its speed, and closes the gap like a damped spring.
        /// </summary>
        [Serializable]
        public sealed class Leg
        {
            [Tooltip("Where the leg is attached.")]
            public Transform hip;
            [Tooltip("The knee.")]
            public Transform knee;
            [Tooltip("The ankle, on which the foot turns.")]
            public Transform ankle;
            [Tooltip("The joint of the toes, if there is one: it helps to measure the foot.")]
            public Transform toes;
            [Tooltip("Height of the ankle above the sole, metres. 0: measured from the mesh, or the avatar.")]
            [Min(0f)] public float ankleHeight;
            [Tooltip("Height of the joint of the toes above the sole, metres, where the height of the ankle is given. 0: measured.")]
            [Min(0f)] public float toeHeight;

            /// <summary>Whether the foot stands on the ground.</summary>
            public bool Planted { get { return mode == Mode.Planted; } }
            /// <summary>Where the ankle is brought to.</summary>
            public Vector3 Goal { get; private set; }

            internal Transform Tip { get { return toes != null ? toes : ankle; } }

            enum Mode { Path, Planted, Air }

            internal readonly LimbReach reach = new LimbReach();
            internal FootShape shape;
            internal float length, comfort, groundHeight;  // of the ground below the ball, above the level
            internal Vector3 animatedAnkle;
            internal Quaternion goalRotation;
            internal bool found;

            // The animation's foot in this frame; the heights of its ball and of its lowest point above the level.
            Quaternion animatedRotation;
            Vector3 heel, ball, toe, below, lastBall, ballSpeed;
            float height, lowest;
            // The ground below the ball in this frame and, carried on by what it belongs to, in the one before.
            Vector3 spot, normal, lastSpot, lastNormal, pathSpeed, airSpeed, lastAir;
            Transform carrier;
            Anchor ridden;
            // Where the foot is planted, on what carries it.
            Anchor plant, plantNormal, plantHeading;
            Mode mode;
            // What is left of the gap to the target, and of the foot's turn from it, in degrees; the slope it has taken.
            Vector3 gap, gapSpeed, tilt;
            float turn, turnSpeed;

            /// <summary>Reads the animation's foot.</summary>
            internal void See(Vector3 up, Vector3 level, bool begun, float seconds)
            {
                animatedAnkle = ankle.position;
                animatedRotation = ankle.rotation;
                heel = ankle.TransformPoint(shape.Heel);
                ball = ankle.TransformPoint(shape.Ball);
                toe = Tip.TransformPoint(shape.Toe);
                if (!begun) ballSpeed = Vector3.zero;
                else if (seconds > 0f) ballSpeed = (ball - lastBall) / seconds;
                lastBall = ball;
                height = Vector3.Dot(ball - level, up);
                below = ball - height * up;
                lowest = Mathf.Min(height, Vector3.Dot(heel - level, up));
                if (shape.KnowsToe) lowest = Mathf.Min(lowest, Vector3.Dot(toe - level, up));
            }

            /// <summary>How far the ball is above the ground. Recorded feet float and sink by centimetres: the lowest point
            /// of a foot that stands is on the ground, and so is one that is almost there.</summary>
            float Rise
            {
                get
                {
                    float low = 0.008f * length, high = 4f * low, over = height - lowest;
                    if (Planted || lowest <= low) return over;
                    if (lowest >= high) return height;
                    float u = (lowest - low) / (high - low);
                    return over + u * u * ((3f - 2f * u) * high - (1f - u) * (high - low));
                }
            }

            /// <summary>Looks for the ground below heel and ball, and below where a foot that moves will be.</summary>
            internal void Probe(FootPlacement owner, Vector3 up, Vector3 level)
            {
                Ground middle = owner.Cast(below, up);
                found = middle.Found;
                normal = up;
                if (found) normal = Vector3.RotateTowards(up, middle.Normal, owner.maxSlope * Mathf.Deg2Rad, 0f);
                carrier = middle.Carrier;
                groundHeight = found ? Vector3.Dot(middle.Point - level, up) : 0f;
                Raise(owner.Cast(heel - Vector3.Dot(heel - level, up) * up, up), up);
                if (lowest > owner.plantHeight * length)
                {
                    Vector3 ahead = owner.settleTime * Vector3.ProjectOnPlane(ballSpeed, up);
                    Vector3 tip = toe - Vector3.Dot(toe - level, up) * up;
                    for (int k = 0; k < 3; k++) Raise(owner.Cast(tip + k * ahead, up), up);
                }
                spot = below + groundHeight * up;
            }

            /// <summary>Takes ground that lies higher than the plane found so far.</summary>
            void Raise(Ground other, Vector3 up)
            {
                if (!other.Found) return;
                // The height, below the ball, of the plane that goes through the other point.
                float height = Vector3.Dot(other.Point - below, normal) / Vector3.Dot(up, normal);
                if (found && height <= groundHeight + 1e-3f * length) return;
                groundHeight = height;
                carrier = other.Carrier;
                found = true;
            }

            /// <summary>Moves the foot on.</summary>
            internal void Step(FootPlacement owner, Vector3 up, bool begun, bool eases, float seconds)
            {
                if (!begun)
                {
                    gap = gapSpeed = pathSpeed = airSpeed = Vector3.zero;
                    turn = turnSpeed = 0f;
                    mode = owner.InAir || eases ? Mode.Air : Mode.Path;
                    tilt = mode == Mode.Air ? up : normal;
                    lastAir = AirPoint(owner, up);
                    seconds = 0f;
                }
                else if (seconds > 0f)
                {
                    float rate = 2f / owner.settleTime;
                    Springs.Close(ref gap, ref gapSpeed, rate, seconds);
                    Springs.Close(ref turn, ref turnSpeed, rate, seconds);
                    FollowPath(owner, up, seconds);
                }
                if (!begun || seconds > 0f)
                {
                    Mode next = Decide(owner, up);
                    if (next != mode) Enter(owner, next, up);
                    lastSpot = spot;
                    ridden.Place(carrier, spot);
                    lastNormal = normal;
                }
                Settle(owner, up, seconds);
            }

            /// <summary>How fast the ground below the path goes by. Where it jumps, at an edge, the foot does not.</summary>
            void FollowPath(FootPlacement owner, Vector3 up, float seconds)
            {
                Vector3 before = ridden.Point;
                float jump = Jump(before, lastNormal, up), other = Jump(before, normal, up);
                if (Mathf.Abs(other) < Mathf.Abs(jump)) jump = other;
                if (mode == Mode.Path) gap -= jump * up;
                pathSpeed = (spot - before - jump * up) / seconds;  // against what carries the foot
                Vector3 air = AirPoint(owner, up);
                airSpeed = (air - lastAir - (before - lastSpot)) / seconds;
                lastAir = air;
            }

            /// <summary>How much higher the ground is than a plane through the ground of the frame before.</summary>
            float Jump(Vector3 before, Vector3 plane, Vector3 up)
            {
                return Vector3.Dot(spot - before, plane) / Vector3.Dot(up, plane);
            }

            Mode Decide(FootPlacement owner, Vector3 up)
            {
                if (owner.InAir) return Mode.Air;
                float slack = Planted ? 1.6f : 1f;
                bool stands = found && lowest < slack * owner.plantHeight * length
                    && Vector3.ProjectOnPlane(pathSpeed, up).magnitude < slack * owner.plantSpeed * length;
                if (!stands) return Mode.Path;
                if (!Planted) return Mode.Planted;
                bool near = Vector3.ProjectOnPlane(spot - plant.Point, up).magnitude < owner.releaseDistance * length
                    && Mathf.Abs(PlantTurn(up)) < owner.releaseAngle;
                return near ? Mode.Planted : Mode.Path;
            }

            /// <summary>Takes another target: the foot keeps its place, and its speed.</summary>
            void Enter(FootPlacement owner, Mode next, Vector3 up)
            {
                Vector3 now = Target(owner, up) + gap, speed = TargetSpeed() + gapSpeed;
                float heading = TargetTurn(up) + turn, rise = Rise;
                if (mode == Mode.Air) speed -= Mathf.Min(0f, Vector3.Dot(speed, up)) * up;  // it lands: not into the ground
                if (next == Mode.Planted) Plant(owner, now + 0.5f * owner.settleTime * speed, heading, up);
                mode = next;
                gap = now - Target(owner, up) + (rise - Rise) * (Lean(owner, up) * up);
                gapSpeed = speed - TargetSpeed();
                turn = Mathf.Repeat(heading - TargetTurn(up) + 180f, 360f) - 180f;
            }

            /// <summary>Plants the foot at the place to which it glides without coming back, or so near to it, along the
            /// foot, that heel, ball and toe stand on one plane: not over the edge of a step, nor in the next one.</summary>
            void Plant(FootPlacement owner, Vector3 place, float heading, Vector3 up)
            {
                place -= Vector3.Dot(place - spot, normal) / Vector3.Dot(up, normal) * up;
                Quaternion turned = Quaternion.AngleAxis(heading, up);
                Vector3 ahead = turned * Heading(up), step = 0.015f * length * ahead.normalized;
                Vector3 back = turned * Vector3.ProjectOnPlane(heel - ball, up);
                Vector3 front = turned * Vector3.ProjectOnPlane(toe - ball, up);
                for (int k = 0; k < 16; k++)
                {
                    Vector3 middle = place + (k % 2 == 0 ? k / 2 : -(k + 1) / 2) * step;
                    if (!Stands(owner, middle, back, front, up, out Ground found)) continue;
                    place = found.Point;
                    normal = found.Normal;
                    carrier = found.Carrier;
                    break;
                }
                plant.Place(carrier, place);
                plantNormal.Direct(carrier, normal);
                plantHeading.Direct(carrier, ahead);
            }

            /// <summary>Whether heel and toe stand on the plane on which the ball stands.</summary>
            bool Stands(FootPlacement owner, Vector3 middle, Vector3 back, Vector3 front, Vector3 up, out Ground on)
            {
                on = owner.Cast(middle, up);
                if (!on.Found) return false;
                on.Normal = Vector3.RotateTowards(up, on.Normal, owner.maxSlope * Mathf.Deg2Rad, 0f);
                return Near(owner, on, back, up) && Near(owner, on, front, up);
            }

            bool Near(FootPlacement owner, Ground on, Vector3 way, Vector3 up)
            {
                Ground other = owner.Cast(on.Point + way, up);
                return other.Found && Mathf.Abs(Vector3.Dot(other.Point - on.Point, on.Normal)) < 0.02f * length;
            }

            /// <summary>The point below the ball of the foot to which it is drawn.</summary>
            Vector3 Target(FootPlacement owner, Vector3 up)
            {
                if (mode == Mode.Path) return spot;
                return Planted ? plant.Point : AirPoint(owner, up);
            }

            Vector3 AirPoint(FootPlacement owner, Vector3 up) { return ball - Rise * (Lean(owner, up) * up); }

            Vector3 TargetSpeed()
            {
                if (mode == Mode.Path) return pathSpeed;
                return Planted ? Vector3.zero : airSpeed;
            }

            /// <summary>How far the target's heading is turned from the animation's, degrees about up.</summary>
            float TargetTurn(Vector3 up) { return Planted ? PlantTurn(up) : 0f; }

            float PlantTurn(Vector3 up)
            {
                return Vector3.SignedAngle(Heading(up), Vector3.ProjectOnPlane(plantHeading.Direction, up), up);
            }

            Vector3 Heading(Vector3 up) { return Vector3.ProjectOnPlane(toe - heel, up); }

            Quaternion Lean(FootPlacement owner, Vector3 up)
            {
                return Quaternion.FromToRotation(up, Vector3.Slerp(up, tilt, owner.alignWeight));
            }

            /// <summary>Takes the slope of the ground, and says where the ankle goes.</summary>
            void Settle(FootPlacement owner, Vector3 up, float seconds)
            {
                Vector3 slope = mode == Mode.Path ? normal : up;
                if (Planted) slope = plantNormal.Direction;
                Vector3 target = Target(owner, up) + gap;
                tilt = Vector3.Slerp(tilt, slope, 1f - Mathf.Exp(-2f * seconds / owner.settleTime));
                Quaternion lean = Lean(owner, up);
                Quaternion whole = lean * Quaternion.AngleAxis(TargetTurn(up) + turn, up);
                goalRotation = whole * animatedRotation;
                Goal = target + Rise * (lean * up) + whole * (animatedAnkle - ball);
            }
        }
    }
}
