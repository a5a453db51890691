using UnityEngine;

namespace Limbik
{
    /// <summary>Ground, a figure and a spider, made of nothing but this package.</summary>
    public static class SampleScene
    {
        /// <summary>A figure that walks over what lies before it, with feet on the ground and eyes ahead.</summary>
        public static GameObject AddFigure(Vector3 place)
        {
            var figure = new GameObject("Limbik Figure");
            figure.transform.position = place;
            var walk = figure.AddComponent<WalkingSample>();
            walk.joints = SampleFigure.Figure.Build(figure.transform);
            var feet = figure.AddComponent<FootPlacement>();
            feet.pelvis = walk.Joint("Hips");
            feet.legs = new[] { Leg(walk, "Left"), Leg(walk, "Right") };
            return figure;
        }

        static FootPlacement.Leg Leg(WalkingSample walk, string side)
        {
            return new FootPlacement.Leg
            {
                hip = walk.Joint(side + "UpLeg"), knee = walk.Joint(side + "Leg"), ankle = walk.Joint(side + "Foot"),
                toes = walk.Joint(side + "ToeBase"),
            };
        }

        /// <summary>Whether there is ground below or above a place, and where.</summary>
        public static bool FindGround(Vector3 place, out Vector3 ground)
        {
            Ground below = GroundProbe.Cast(place + 50f * Vector3.up, Vector3.down, 100f, ~0, null);
            ground = below.Found ? below.Point : place;
            return below.Found;
        }

        public static GameObject AddSpider(Vector3 place)
        {
            var spider = new GameObject("Limbik Spider");
            spider.transform.position = place;
            spider.AddComponent<SpiderCreature>().Build();
            return spider;
        }

        /// <summary>A floor of 20 m.</summary>
        public static GameObject AddFloor(Vector3 place)
        {
            var floor = new GameObject("Limbik Floor");
            AddBox(floor.transform, place - 0.5f * Vector3.up, new Vector3(20f, 1f, 20f), 0f);
            return floor;
        }

        /// <summary>A floor with a ramp of 12 degrees up and down, and stairs up and down, along z.</summary>
        public static GameObject AddCourse(Vector3 place)
        {
            var course = new GameObject("Limbik Course");
            course.transform.position = place;
            AddBox(course.transform, place + new Vector3(0f, -0.5f, 7f), new Vector3(6f, 1f, 20f), 0f);
            AddBox(course.transform, place + new Vector3(0f, -0.7f, 3.5f), new Vector3(2f, 2f, 3f), -12f);
            AddBox(course.transform, place + new Vector3(0f, -0.7f, 6.02f), new Vector3(2f, 2f, 3f), 12f);
            for (int k = 0; k < 5; k++)
            {
                float depth = 0.3f * (9 - 2 * k) + 0.3f;
                AddBox(course.transform, place + new Vector3(0f, 0.075f + 0.15f * k, 11f), new Vector3(2f, 0.15f, depth), 0f);
            }
            return course;
        }

        static void AddBox(Transform parent, Vector3 place, Vector3 size, float degrees)
        {
            GameObject box = GameObject.CreatePrimitive(PrimitiveType.Cube);
            box.transform.SetParent(parent, true);
            box.transform.position = place;
            box.transform.rotation = Quaternion.AngleAxis(degrees, Vector3.right);
            box.transform.localScale = size;
        }
    }
}
