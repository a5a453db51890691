"""Measures motion from outside: feet over a terrain, before and after. Imports nothing of grounding or gait.

comparison.py      all feet, frame by frame, before and after
motion_report.py   the report, in numbers               curves.py       the same as curves to plot
"""
