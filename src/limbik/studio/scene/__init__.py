"""What is drawn: solid meshes, figures, terrain and rings on the ground."""
