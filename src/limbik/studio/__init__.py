"""The studio: a page, served on this machine, in which limbs are dragged, creatures walk and clips are put on ground.

server.py      the web server                        studio.py      rooms, and the thread that does what pages ask for
stage.py       what rooms work with                  jobs.py        things to do
room.py        what a room is                        uploads.py     files from pages, and how large they may be

limb_room.py   a limb and its target                 walk_room.py   a creature that walks
ground_room.py a clip on a terrain

limb_call.py, limb_controls.py, limb_words.py: what is asked of a limb, and what came of it
drags.py       a recorded drag as a clip             regions.py     what a limb can reach
solids.py      links and figures                     grounds.py     terrain around a place
playback.py    time in a clip                        contact_timeline.py  when feet stand
opened.py      a clip that was opened                settings_controls.py the settings of `ground`
ground_scene.py, staging.py, plant_marks.py: a clip before and after, where it takes place, and where feet stand
report_words.py, foot_plots.py: what grounding did, in words and as curves
bodies.py      figures as they look
rings.py       discs and rings on the ground         downloads.py   clips as files for pages
"""
