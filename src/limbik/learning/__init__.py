"""Motion for machine learning: positions of joints become clips (`fit`), clips become arrays (`training_data`).

fit.py            fit()                                   bone_frames.py    rotations from positions
rest_pose.py      a figure from bone lengths              standing_root.py  the root's path from standing feet
contacts.py       when feet stand                         training_data.py  training_data()
"""
