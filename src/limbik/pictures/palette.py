"""Colours that stay apart for colour-blind eyes (Okabe and Ito's), and what each stands for."""

LINK = "#0072B2"
GHOST = "#9A9A9A"
TARGET = "#D55E00"
UP = "#009E73"
POLE = "#B0568C"
REGION = "#CFE3F1"
REGION_EDGE = "#8FB4CE"
GROUND = "#F1EEE8"
GRID = "#E4E4E4"
INK = "#222222"
FAINT = "#6A6A6A"
SHADES = ("#EAF3F9", "#9CC7E2", "#2F86BF", "#0A3F66")  # of a quantity from its least to its greatest
