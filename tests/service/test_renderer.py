import os
import sys

import pytest

from service.mail_out import small
from service.renderer import Renderer

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20" fill="red"/></svg>'


@pytest.fixture(scope="module")
def renderer():
    drawing = Renderer()
    yield drawing
    drawing._process.communicate()


def test_pictures_are_drawn_in_another_process_which_gives_way_and_is_begun_once(renderer: Renderer):
    assert renderer(SVG) == small(SVG)
    process = renderer._process
    assert os.getpriority(os.PRIO_PROCESS, process.pid) > os.getpriority(os.PRIO_PROCESS, 0)
    assert renderer(SVG) == small(SVG)
    assert renderer._process is process


def test_after_a_renderer_that_died_there_is_another(renderer: Renderer):
    renderer(SVG)
    renderer._process.kill()
    renderer._process.wait()
    assert renderer(SVG) == b"", "the letter goes without a picture"
    assert renderer(SVG) == small(SVG)


@pytest.mark.parametrize("does", ["import time; time.sleep(600)", "import sys; sys.exit(1)", "print('nonsense')"])
def test_one_that_hangs_ends_or_talks_nonsense_costs_the_picture_alone(does: str):
    renderer = Renderer(seconds=0.3, command=(sys.executable, "-c", does))
    assert renderer(SVG) == b""
    assert renderer._process is None


def test_a_renderer_ends_with_whoever_has_started_it(renderer: Renderer):
    renderer(SVG)
    process = renderer._process
    process.communicate()
    assert process.returncode == 0
    renderer._process = None
    renderer(SVG)
