using System;
using UnityEngine;

namespace Limbik
{
    /// <summary>
    /// A figure that plays a walk on level ground and goes on over whatever lies before it, round and round: the menu
    /// GameObject > Limbik > Sample makes one. It stands in for a character controller with an animator.
    /// </summary>
    [AddComponentMenu("")]
    public sealed class WalkingSample : MonoBehaviour
    {
        [Tooltip("Metres to go until the figure turns back.")]
        public float distance = 14f;
        [Tooltip("The joints, hips first.")]
        public Transform[] joints = new Transform[0];

        short[] rotations, hips;
        float time, way, height;
        Vector3 start;

        void Awake()
        {
            rotations = Numbers(SampleFigure.Rotations);
            hips = Numbers(SampleFigure.Hips);
            start = transform.position;
            height = start.y;
        }

        /// <summary>A joint by its name.</summary>
        public Transform Joint(string name) { return joints[Array.IndexOf(SampleFigure.Names, name)]; }

        void Update()
        {
            time += Time.deltaTime;
            way += SampleFigure.Advance / SampleFigure.Frames * SampleFigure.FramesPerSecond * Time.deltaTime;
            float along = Mathf.PingPong(way, distance), ahead = Mathf.Repeat(way, 2f * distance) < distance ? 0f : 180f;
            Vector3 place = start + along * Vector3.forward;
            // The body's height is the ground's below it, smoothly: steps are climbed, not jumped.
            Ground below = GroundProbe.Cast(
                new Vector3(place.x, height + 1f, place.z), Vector3.down, 3f, ~0, transform);
            if (below.Found) height = Mathf.Lerp(height, below.Point.y, 1f - Mathf.Exp(-10f * Time.deltaTime));
            transform.position = new Vector3(place.x, height, place.z);
            transform.rotation = Quaternion.Slerp(
                transform.rotation, Quaternion.AngleAxis(ahead, Vector3.up), 1f - Mathf.Exp(-8f * Time.deltaTime));
            Animate(time * SampleFigure.FramesPerSecond);
        }

        /// <summary>Plays the walk, between its frames by the part of a frame that has gone by.</summary>
        void Animate(float frames)
        {
            int first = Mathf.FloorToInt(frames), count = joints.Length;
            float part = frames - first;
            int before = first % SampleFigure.Frames, after = (first + 1) % SampleFigure.Frames;
            for (int k = 0; k < count; k++)
                joints[k].localRotation =
                    Quaternion.Slerp(Rotation(before * count + k), Rotation(after * count + k), part);
            joints[0].localPosition = Vector3.Lerp(Hips(before), Hips(after), part);
        }

        Quaternion Rotation(int k)
        {
            const float unit = 1f / 32767f;
            return new Quaternion(
                unit * rotations[4 * k], unit * rotations[4 * k + 1], unit * rotations[4 * k + 2], unit * rotations[4 * k + 3]);
        }

        Vector3 Hips(int frame)
        {
            const float unit = 2f / 32767f;
            return new Vector3(unit * hips[3 * frame], unit * hips[3 * frame + 1], unit * hips[3 * frame + 2]);
        }

        static short[] Numbers(string[] lines)
        {
            byte[] bytes = FigureData.Bytes(lines);
            var numbers = new short[bytes.Length / 2];
            Buffer.BlockCopy(bytes, 0, numbers, 0, bytes.Length);
            return numbers;
        }
    }
}
