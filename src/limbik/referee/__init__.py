"""Measures motion from outside: feet over a terrain, before and after. Imports nothing of grounding or gait.

foot_motion.py     one foot through a clip              comparison.py   all feet, before and after
motion_report.py   the report, in numbers               curves.py       the same as curves to plot
"""
