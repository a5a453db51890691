"""Plots as image files (.png, .svg or .pdf); needs matplotlib: pip install 'limbik[plot]'."""

from limbik.pictures.gait_plot import gait
from limbik.pictures.limb_plot import limb
from limbik.pictures.report_plot import report
from limbik.pictures.robot_workspace_plot import robot_workspace
from limbik.pictures.workspace_plot import workspace

__all__ = ["gait", "limb", "report", "robot_workspace", "workspace"]
