"""Ground from numbers: an array of heights, or any function of x and z, is a terrain."""

import numpy as np

import limbik

x, z = np.meshgrid(np.linspace(-5.0, 5.0, 101), np.linspace(-5.0, 5.0, 101))
heights = 0.15 * np.sin(1.3 * x) * np.cos(0.9 * z)
dunes = limbik.terrains.Heightfield(heights, spacing=0.1)
crater = limbik.terrains.Function(lambda x, z: 0.3 * np.exp(-((np.hypot(x, z) - 2.0) ** 2)))

for name, ground in (("dunes", dunes), ("crater", crater)):
    place = np.array([1.0, 0.5])
    print(name, "height", ground.height(place).round(3), "normal", ground.normal(place).round(3))
    clip = limbik.walk("spider", ground, seconds=2)
    lowest = (clip.positions()[..., 1] - ground.height(clip.positions()[..., ::2])).min()
    print(f"the spider's lowest joint is {1e3 * abs(lowest):.1f} mm from the ground")
