"""A process is known by more than its number."""

import subprocess
import sys

from goclaw.lib.processes import identity, is_gone


def test_a_living_process_is_not_gone() -> None:
    assert not is_gone(identity())


def test_a_process_that_ended_is_gone_before_and_after_it_is_waited_for() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    name = identity(process.pid)
    assert not is_gone(name)
    assert process.stdout is not None
    process.stdout.read()
    while not is_gone(name):  # a zombie from here on
        pass
    process.wait()
    assert is_gone(name)
    process.stdout.close()


def test_a_later_process_with_the_same_number_is_another() -> None:
    host, pid, started = identity().rsplit(":", 2)
    assert is_gone(f"{host}:{pid}:{int(started) - 1}")


def test_nothing_is_known_of_another_host() -> None:
    assert not is_gone("elsewhere/1:1:1")
    assert not is_gone("")
