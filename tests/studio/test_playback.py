"""Time in a clip goes on, begins again or ends, at the speed that is chosen."""

import pytest

from tests.optional import optional


@pytest.fixture
def playback(tmp_path):
    """Playback of 11 frames at 10 a second, on a server that nobody looks at; and the frames that were shown."""
    optional("viser")
    from limbik.studio.page.clip_tab import Playback
    from limbik.studio.page.server import start_server
    from limbik.studio.page.stage import Stage

    server = start_server("127.0.0.1", 0)
    shown = []
    playback = Playback(Stage(server, tmp_path), lambda: shown.append(playback.frame))
    playback.start(11, 10.0)
    yield playback, shown
    server.stop()


def test_time_begins_again_at_the_end(playback):
    playback, shown = playback
    playback.play(True)
    for _ in range(25):
        playback.advance(0.1)
    assert shown == [*range(1, 11), *range(1, 11), *range(1, 6)]  # the end is the beginning
    assert playback.playing


def test_time_ends_where_it_does_not_loop_and_play_begins_again(playback):
    playback, shown = playback
    playback._loop.value = False
    playback.play(True)
    playback.advance(0.65)
    assert playback.frame in (6, 7) and playback.playing
    playback.advance(5.0)
    assert playback.frame == 10 and not playback.playing
    playback.play(True)
    assert playback.frame == 0 and playback.playing
    assert shown[-1] == 0


@pytest.mark.parametrize(("speed", "frame"), [("0.25×", 2), ("0.5×", 4), ("1×", 8)])
def test_speeds_are_parts_of_the_clips_own(playback, speed, frame):
    playback, _ = playback
    playback._speed.value = speed
    playback.play(True)
    for _ in range(8):
        playback.advance(0.1)
    assert playback.frame == frame


def test_scrubbing_pauses(playback):
    playback, shown = playback
    playback.play(True)
    playback._slider.value = 7
    playback._scrub()
    assert (playback.frame, playback.playing, shown) == (7, False, [7])


@pytest.mark.parametrize("frames", [1, 2])
def test_short_clips_can_be_shown(playback, frames):
    playback, _ = playback
    playback.play(True)
    playback.start(frames, 24.0)
    assert playback.playing == (frames > 1) and playback._button.disabled == (frames == 1)
    for _ in range(3):
        playback.advance(0.03)
    assert 0 <= playback.frame < frames
