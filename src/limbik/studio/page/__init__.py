"""What all tabs work with: server, controls, jobs, uploads, downloads, playback and cameras."""
