"""Figures made of joints: what people animate, and how their limbs are found and posed."""
