"""What figures and creatures look like: meshes that follow a skeleton, as plain arrays."""
