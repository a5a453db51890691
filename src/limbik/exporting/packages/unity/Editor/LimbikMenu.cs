using UnityEditor;
using UnityEngine;

namespace Limbik.Editor
{
    /// <summary>The entries of GameObject > Limbik: they work in an empty scene, and can be undone.</summary>
    static class LimbikMenu
    {
        [MenuItem("GameObject/Limbik/Walking Spider", false, 10)]
        static void AddSpider()
        {
            Vector3 place = SceneView.lastActiveSceneView != null ? SceneView.lastActiveSceneView.pivot : Vector3.zero;
            Ground below = GroundProbe.Cast(place + 50f * Vector3.up, Vector3.down, 100f, ~0, null);
            if (below.Found) place = below.Point;
            else Undo.RegisterCreatedObjectUndo(SampleScene.AddFloor(place), "Add floor");
            GameObject spider = SampleScene.AddSpider(place);
            Undo.RegisterCreatedObjectUndo(spider, "Add walking spider");
            Selection.activeGameObject = spider;
        }

        [MenuItem("GameObject/Limbik/Sample: Feet on Slopes and Stairs", false, 11)]
        static void AddSample()
        {
            Vector3 place = SceneView.lastActiveSceneView != null ? SceneView.lastActiveSceneView.pivot : Vector3.zero;
            Undo.RegisterCreatedObjectUndo(SampleScene.AddCourse(place), "Add course");
            GameObject figure = SampleScene.AddFigure(place);
            Undo.RegisterCreatedObjectUndo(figure, "Add figure");
            Selection.activeGameObject = figure;
        }
    }
}
