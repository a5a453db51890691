"""Pages that play a clip: one HTML file each, which opens from the disk and requests nothing from the network.

clip_page.py     the page                         packing.py       clips, grounds and bodies as a page stores them
in_notebook.py   clips and poses in notebooks     report_page.py   the report of many grounded clips
viewer/          the scripts in the browser: WebGL 2, no library

viser, which the studio uses, can record a scene as a page, too. It stores every joint of every frame as a message, 0.15
MB for each second of one human: too much for a centipede or a crowd. Its figures have one colour, its camera cannot
follow them, and a server has to run while the page is written.
"""
