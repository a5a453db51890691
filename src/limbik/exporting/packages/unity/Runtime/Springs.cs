using UnityEngine;

namespace Limbik
{
    /// <summary>Damped springs whose step is exact: the same at any frame rate, stable at any stiffness.</summary>
    static class Springs
    {
        /// <summary>Lets a critically damped spring close a gap. rate: 1/s; after 4 / rate a tenth is left.</summary>
        public static void Close(ref Vector3 gap, ref Vector3 speed, float rate, float seconds)
        {
            float decay = Mathf.Exp(-rate * seconds);
            Vector3 drive = speed + rate * gap;
            gap = (gap + seconds * drive) * decay;
            speed = (speed - rate * seconds * drive) * decay;
        }

        /// <summary>The same of a number.</summary>
        public static void Close(ref float gap, ref float speed, float rate, float seconds)
        {
            float decay = Mathf.Exp(-rate * seconds), drive = speed + rate * gap;
            gap = (gap + seconds * drive) * decay;
            speed = (speed - rate * seconds * drive) * decay;
        }

        /// <summary>What takes place and speed of a spring to those after a time: (a, b; c, d).</summary>
        /// <param name="rate">natural angular frequency, 1/s</param>
        /// <param name="damping">of critical, 0 or more</param>
        public static Vector4 Swing(float rate, float damping, float seconds)
        {
            float even, slope, drag = damping * rate;
            if (damping < 1f)
            {
                float wave = rate * Mathf.Sqrt(1f - damping * damping), fade = Mathf.Exp(-drag * seconds);
                even = fade * Mathf.Cos(wave * seconds);
                slope = fade * Mathf.Sin(wave * seconds) / wave;
            }
            else
            {
                float root = Mathf.Sqrt(damping * damping - 1f), spread = rate * root;
                float slower = Mathf.Exp(-rate / (damping + root) * seconds);
                float faster = 1f - Mathf.Exp(-2f * spread * seconds);
                even = slower * (1f - 0.5f * faster);
                slope = slower * (spread * seconds > 1e-3f ? 0.5f * faster / spread : seconds);
            }
            return new Vector4(even + drag * slope, slope, -rate * rate * slope, even - drag * slope);
        }
    }
}
