"""Pictures, drawn with matplotlib: of limbs and what they reach, of gaits, and of what grounding did to a clip."""
