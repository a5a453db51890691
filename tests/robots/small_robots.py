"""Small robots for tests, as text: one of each format, with what its format has."""

MJCF = """<mujoco model="small">
  <compiler angle="radian"/>
  <default><joint axis="0 1 0" range="-2 2"/>
    <default class="wide"><joint range="-3 3"/></default>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="trunk" pos="0 0 0.5" quat="0.8 0 0.6 0">
      <freejoint name="root"/>
      <body name="left_hip" pos="0.1 0.2 0">
        <joint name="left_roll" axis="1 0 0" pos="0 0.03 0.01"/>
        <joint name="left_pitch" class="wide" ref="0.3"/>
        <body name="left_shin" pos="0 0 -0.3" euler="0.1 0 0">
          <joint name="left_knee"/>
          <geom name="left_toe" pos="0 0 -0.3" size="0.02"/>
          <site name="left_foot" pos="0 0 -0.31" euler="0 0.2 0"/>
        </body>
      </body>
      <body name="right_hip" pos="0.1 -0.2 0">
        <joint name="right_roll" axis="1 0 0"/>
        <joint name="right_pitch"/>
        <frame pos="0 0 -0.1" euler="0 0.1 0">
          <body name="right_shin" pos="0 0 -0.2">
            <joint name="right_knee" type="slide" axis="0 0 1"/>
          </body>
        </frame>
      </body>
    </body>
  </worldbody>
</mujoco>
"""

URDF = """<robot name="small">
  <link name="base"/>
  <link name="upper"/>
  <link name="fore"/>
  <link name="hand"/>
  <link name="thumb"/>
  <link name="finger"/>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <origin xyz="0 0 0.4" rpy="0.1 0.2 0.3"/>
    <axis xyz="0 0 2"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="fore"/><origin xyz="0.3 0 0"/></joint>
  <joint name="reach" type="prismatic">
    <parent link="fore"/><child link="hand"/><axis xyz="1 1 0"/><limit lower="0" upper="0.2" effort="1" velocity="1"/>
  </joint>
  <joint name="grip" type="revolute">
    <parent link="hand"/><child link="thumb"/><axis xyz="0 1 0"/><limit lower="0" upper="1" effort="1" velocity="1"/>
  </joint>
  <joint name="follow" type="revolute">
    <parent link="hand"/><child link="finger"/><axis xyz="0 1 0"/><limit lower="0" upper="1" effort="1" velocity="1"/>
    <mimic joint="grip" multiplier="-2" offset="0.1"/>
  </joint>
  <joint name="mount" type="fixed"><parent link="hand"/><child link="tool"/><origin xyz="0 0 0.1" rpy="0 1 0"/></joint>
</robot>
"""


def write(folder, text, name="robot.xml"):
    """The path of a file with this text."""
    path = folder / name
    path.write_text(text)
    return path
