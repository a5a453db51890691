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
            if (!SampleScene.FindGround(place, out Vector3 ground))
                Undo.RegisterCreatedObjectUndo(SampleScene.AddFloor(place), "Add floor");
            GameObject spider = SampleScene.AddSpider(ground);
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
