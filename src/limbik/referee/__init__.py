"""Measures motion from outside: feet over a terrain, before and after. Imports nothing of grounding or gait.

soles.py           the soles of feet, measured       stances.py         when feet stand, by rules of its own
comparison.py      all feet, frame by frame, before and after
measures.py        feet, legs and the body, in numbers
motion_report.py   the report                        curves.py          curves to plot
"""
