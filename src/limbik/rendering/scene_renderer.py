"""Images of a clip on its ground."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from limbik.arrays import Array
from limbik.rendering.camera import Camera, frame_view
from limbik.rendering.light import MarkStyle, display_table, ground_mesh, light_on, mark_opacities, sky_of, squares_of
from limbik.rendering.posed_figures import PosedFigures
from limbik.rendering.raster_kernels import kernel
from limbik.scenes import ground_patch, looks
from limbik.scenes.looks import LOOKS
from limbik.scenes.scene_clip import SceneClip
from limbik.skeleton.clip import Clip
from limbik.skeleton.clip_editing import blend_frames
from limbik.skeleton.pose import Pose
from limbik.terrains.specs import TerrainLike

FITTING_TIMES = 12  # times at which bodies are measured to fit the camera
MIN_MARK_OPACITY = 0.02  # opacity below which marks are left out
SAME_TIME_FRAMES = 1e-6  # times nearer than this are one
SHADOW_RADII = 1.1  # radius within which shadows are cast, over that of what is visible


class SceneRenderer:
    """Renders a clip on its ground from one of the VIEWS, in images of a size (width, height).

    The camera follows the figures at a distance from which they are always completely visible. With `together`, times
    in seconds whose poses appear in one image, it stays in place.
    """

    def __init__(
        self, clip: Clip, terrain: TerrainLike | None, size: tuple[int, int], view: str, together: Sequence[float] = ()
    ) -> None:
        self._scene, self._size = SceneClip.of("clip", clip), size
        scene, positions = self._scene, self._scene.positions.reshape(-1, 3)
        terrain = ground_patch.ground_of(clip, terrain, positions, scene.size)
        self._figures = PosedFigures(clip)
        points, self._middles = self._gather_points(together) if together else self._follow_points()
        some = self._middles[:: len(self._middles) // FITTING_TIMES + 1]
        self._frame = frame_view(view, scene, points, some, terrain, size[0] / size[1])
        self._radius = SHADOW_RADII * float(np.linalg.norm(points - self._frame.offset, axis=-1).max())
        ground = ground_patch.around(terrain, positions, scene.size, self._radius)
        colours = looks.colours()
        self._ground, self._marks = ground_mesh(ground, colours), scene.marks(terrain)
        # Ground that nowhere turns away from the sun cannot be in its own shadow, nor put a figure there.
        self._shades = bool(np.any(self._ground.normals @ LOOKS.sun < 0.0))
        self._squares = squares_of(ground, scene.size, colours)
        self._style = MarkStyle(colours.planted, LOOKS.ring, LOOKS.ring_opacity, LOOKS.disc_opacity, LOOKS.print_shade)
        self._sky, self._table = sky_of(colours, size[1], self._frame.axes), display_table()
        self._buffers = threading.local()

    def picture(self, moments: Sequence[float]) -> Array:
        """The poses at some times, seconds from the first frame, in one image, (height, width, 3) of uint8."""
        width, height = self._size
        samples = 2 * width, 2 * height
        body, materials = self._figures.mesh_of([self._pose(moment) for moment in moments]), self._figures.materials
        camera = self.camera(moments[0])
        corners = camera.corners(self._ground.places, samples), camera.corners(body.places, samples)
        nearest, seen = self._samples()
        fill = kernel("fill")
        fill(body, materials, corners[1], len(self._ground.faces), camera.near, nearest, seen)
        fill(self._ground, materials, corners[0], 0, camera.near, nearest, seen)
        casting = [body, self._ground] if self._shades else [body]
        light, *shadows = light_on(casting, materials, camera.centre, self._radius)
        picture = np.empty((height, width, 3), np.uint8)
        look = light, *shadows, self._table, self._sky, tuple(camera.eye.tolist())
        kernel("shade")(self._ground, self._squares, body, materials, corners, *look, seen, nearest, picture)
        kernel("stamp")(*self._visible_marks(camera, moments), self._style, self._ground, corners[0], seen, picture)
        return picture

    def camera(self, moment: float) -> Camera:
        return self._frame.camera(self._middle(moment))

    def _samples(self) -> tuple[Array, Array]:
        """Cleared buffers of the samples: nearness, and the visible face. Each thread has its own."""
        if not hasattr(self._buffers, "samples"):
            shape = 2 * self._size[1], 2 * self._size[0]
            self._buffers.samples = np.empty(shape, np.float32), np.empty(shape, np.int32)
        nearest, seen = self._buffers.samples
        nearest.fill(0.0)
        seen.fill(-1)
        return nearest, seen

    def _pose(self, moment: float) -> Pose:
        """The pose at a time; between frames rotations follow the shorter arc, translations and scales are linear."""
        clip, at, part = self._scene.clip, *self._frame_and_fraction(moment)
        if part == 0.0:
            return clip[at]
        mixed = blend_frames(clip, [at], clip, [at + 1], np.array([part]))
        return Pose(clip.skeleton, **{name: values[0] for name, values in mixed.items()})

    def _frame_and_fraction(self, moment: float) -> tuple[int, float]:
        """The frame before a time, and the fraction of the step to the next; 0 where the time is that of a frame."""
        clip = self._scene.clip
        at = min(max(moment * clip.fps, 0.0), len(clip) - 1.0)
        nearest = round(at)
        return (nearest, 0.0) if abs(at - nearest) < SAME_TIME_FRAMES else (int(at), at - int(at))

    def _middle(self, moment: float) -> Array:
        if len(self._middles) == 1:
            return self._middles[0]
        at, part = self._frame_and_fraction(moment)
        return self._middles[at] if part == 0.0 else self._middles[at : at + 2].T @ (1.0 - part, part)

    def _gather_points(self, moments: Sequence[float]) -> tuple[Array, Array]:
        """All vertices at some times, (n, 3), relative to their centre, and that centre, (1, 3)."""
        places = self._figures.mesh_of([self._pose(moment) for moment in moments]).places
        middle = 0.5 * (places.min(axis=0) + places.max(axis=0))
        return places - middle, middle[None]

    def _follow_points(self) -> tuple[Array, Array]:
        """Joints and vertices over the clip, (n, 3), relative to the figures' centre, and that centre, (frames, 3)."""
        scene = self._scene
        joints = scene.positions - scene.centres[:, None]
        some = np.unique(np.linspace(0, len(joints) - 1, FITTING_TIMES).astype(int))
        bodies = [self._figures.mesh_of([scene.clip[int(at)]]).places - scene.centres[at] for at in some]
        return np.concatenate([joints.reshape(-1, 3), *bodies]), scene.centres

    def _visible_marks(self, camera: Camera, moments: Sequence[float]) -> tuple[Array, Array]:
        """The visible marks, and the pixels that they cover, as `stamp` takes them."""
        width, height = self._size
        radius = self._scene.mark
        marks = np.concatenate([self._marks[:, :3], np.full((len(self._marks), 3), radius)], axis=-1)
        marks[:, 4], marks[:, 5] = mark_opacities(self._marks, list(moments))
        marks = marks[marks[:, 4] >= MIN_MARK_OPACITY]
        corners = camera.corners(marks[:, :3], self._size)
        marks, corners = marks[corners[:, 2] > camera.near + radius], corners[corners[:, 2] > camera.near + radius]
        depth = corners[:, 2:3]
        reach = 1.2 * camera.corners(camera.eye + [radius * camera.axes[1]], self._size)[:, 1:2] / (depth - radius)
        low, high = (np.floor(corners[:, :2] / depth - abs(reach)), np.ceil(corners[:, :2] / depth + abs(reach)) + 1)
        boxes = np.stack([low[:, 0], high[:, 0], low[:, 1], high[:, 1]], axis=-1)
        return marks, np.clip(boxes, 0, [width, width, height, height]).astype(np.int64)
