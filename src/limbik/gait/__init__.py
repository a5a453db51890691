"""Creatures that walk, with nothing recorded: a creature, a terrain and a way to go make a clip.

creature.py    body, legs, gaits; presets/*.toml     checking.py    what is wrong with one
reading.py     a creature from a TOML file           patterns.py    the order of legs by name
stance.py      a leg at rest                         rig.py         a creature as arrays

walking.py     walk(): a clip                        paths.py       straight on, or along waypoints
walker.py      Walker: frame by frame                report.py      how well it went
herd.py        all creatures from moment to moment, by way of
  steering.py  how fast and where to                 clock.py       whose turn it is
  feet.py      planted, or in the air                footholds.py   where a foot may stand
  arcs.py      the way through the air               trunk.py       where the body is, and how high
  frames.py    its axes                              reaching.py    legs always reach
  springs.py   how the body gives way
moment.py      what is to be drawn                   layout.py      the joints
posing.py      how they are turned, by the closed forms
"""
