"""What all tabs work with: the server and its checks, controls, jobs, files, notifications, playback and cameras."""
