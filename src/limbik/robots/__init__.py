"""Robots from their files: links, joints, and the limbs between them."""
