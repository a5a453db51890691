"""Puts a clip on a terrain, with its feet planted and the body following.

ground.py           ground()                                 settings.py      Settings
motion.py           what is read from a clip                 placing.py       the motion put on a terrain, in order
cycles.py           cycles: repeated, and on the spot        plants.py        contacts, plants, and support
foot_detection.py   which limbs walk; their feet and soles   strides.py       strides that fit the ground
footholds.py        where plants go on the ground            foot_roll.py     feet that roll over them: stances
swings.py           paths from stance to stance              body_lean.py     the body leans, the pelvis tips
pelvis.py           the height of the body                   knees.py         how far knees bend
plant_footholds.py  the footholds of a foot, in order        smoothing.py     smooth curves through time
footstep_edits.py   footholds that people have edited        retimed_legs.py  legs that stand at other times
footstep_matching.py  which plants footsteps stand for

A contact is a frame in which a foot stands. A plant is an interval of contacts, and its foothold the place on the
terrain to which it is locked. The foot's poses during its plants are its stances; a swing leads from one to the next.
A step goes from the other foot's foothold to the foot's own, a stride from its own last one. Support says whether feet
carry the figure at all. Constants in LEG_LENGTHS are fractions of the length of the leg.
"""
