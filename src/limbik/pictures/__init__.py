"""Pictures of limbs, drawn with matplotlib."""
