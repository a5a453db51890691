"""Walking creatures, animated procedurally: a creature, a terrain and a route give a clip.

creature.py         Trunk, Leg, Gait, Creature        creature_checks.py  validation of a creature
creature_fields.py  units and bounds of the fields    creature_file.py    a creature from a TOML file
gait_patterns.py    leg phases of named gaits         creature_body.py    a creature as a mesh
leg_geometry.py     a leg in its rest pose            rig.py              a creature as arrays

walking.py          walk(): a clip                    routes.py           straight ahead, or along waypoints
walker.py           Walker: step by step              walk_report.py      quality measures of a walk
climbing.py         what a creature climbs, and stairs that suit it
crowd.py            all creatures of a walker, advanced in time by
  steering.py       velocity and turning              gait_clock.py       when each leg steps
  pacing.py         slower uphill, before obstacles   ground_ahead.py     what is in the way
  foot_motion.py    feet in stance and swing          foothold_search.py  where a foot can stand
  swing_arcs.py     the path of a swinging foot       trunk_motion.py     position and height of the body
  segment_frames.py axes of the body's segments       leg_reach.py        keeping every foot within reach
  posture.py        lean, bank, weight and breath     secondary_motion.py parts that trail behind the body
  leg_formulas.py   a leg in one step, as formulas: what is computed for each leg or creature is recorded and run by
                    the engines of limbik.engines (row_formulas.py)
walker_state.py     everything needed for a pose      joint_layout.py     the joints of the skeleton
creature_poser.py   joint rotations, by the closed forms of limbik.limbs
part_motion.py      rotations of head, arms, tail and antennae
"""

from limbik.gait.creature import Appendage, Creature, Gait, Leg, Trunk

__all__ = ["Appendage", "Creature", "Gait", "Leg", "Trunk"]
