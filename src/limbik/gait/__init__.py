"""Walking creatures, animated procedurally: a creature, a terrain and a route give a clip.

creature.py         Trunk, Leg, Gait, Creature        creature_checks.py  validation of a creature
creature_fields.py  units and bounds of the fields    creature_file.py    a creature from a TOML file
gait_patterns.py    leg phases of named gaits         creature_body.py    a creature as a mesh
leg_geometry.py     a leg in its rest pose            joint_layout.py     the joints of the skeleton

walking.py          walk(): a clip                    routes.py           straight ahead, or along waypoints
walker.py           Walker: step by step              walk_report.py      quality measures of a walk
climbing.py         what a creature climbs, and stairs that suit it

A step is a program (program.py) of stages (limbik.engines.stages): formulas over the records of a creature's state
(records.py), and questions to the ground. Python runs it over crowds, and `limbik export` writes it in other languages.

beginning.py        set on the ground                 steering.py         velocity and turning
ground_ahead.py     what is in the way                clock.py            when each leg steps
footholds.py        where a foot can stand            step_width.py       feet beside each other
swings.py           the path of a swinging foot       trunk.py            the body over its feet
posture.py          lean, bank, weight, sway          legs.py             legs reach, and bodies give way
secondary_motion.py parts that trail behind           pose.py             rotations of the joints
arithmetic.py       formulas that these share         kind.py             a creature as parameters
creature_machines.py what runs the programs           walker_state.py     what a pose needs
"""

from limbik.gait.creature import Appendage, Creature, Gait, Leg, Trunk

__all__ = ["Appendage", "Creature", "Gait", "Leg", "Trunk"]
