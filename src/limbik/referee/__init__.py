"""Measures motion from outside: feet over a terrain, before and after. Imports nothing of grounding or gait.

soles.py           the soles of feet, measured       stances.py         when feet stand, by rules of its own
comparison.py      all feet, frame by frame, before and after
foot_measures.py   one foot and its leg, in numbers  body_measures.py   seam, legs apart, body below ground
motion_report.py   the report, in numbers            curves.py          curves to plot
"""
