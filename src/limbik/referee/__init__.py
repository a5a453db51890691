"""Measuring motion from outside: feet over a terrain, before and after, as curves and as a report."""
