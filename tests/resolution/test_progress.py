"""What is shown while a table is resolved, where, and that nothing else is."""

import io

import numpy as np
import pytest
from rich.console import Console

import coterie as ct
from coterie import fields
from coterie.resolution import progress
from coterie.resolution.progress import Clock, Lines, Live, Silent, progress_for, rhat_so_far
from coterie.resolution.sampling import Pace
from resolution.people import MODEL, records, resolve, same_draws

RULED = ct.Model(fields={**MODEL.fields, "sex": fields.Category()}, block_on=["last_name", "birth_date"])


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show every look at the chains."""
    monkeypatch.setattr(progress, "LINES", 0.0)
    monkeypatch.setattr(progress, "LIVE", 0.0)


def pace(done: int, *, warming: bool = False, total: int = 200, chains: int = 2) -> Pace:
    rng = np.random.default_rng(done)
    counts = [rng.integers(1_200, 1_210, done // chains).tolist() for _ in range(chains)]
    return Pace(warming, done, total, 1_205, 0.0123, 2_500_000, counts)


class Seconds:
    """A clock that goes on when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        monkeypatch.setattr(progress.time, "monotonic", lambda: self.now)

    def pass_by(self, seconds: float) -> None:
        self.now += seconds


class TestSilence:
    def test_nothing_is_written_unless_asked_for(self, capfd: pytest.CaptureFixture[str]) -> None:
        resolve(records(), progress=False)
        assert capfd.readouterr() == ("", "")

    def test_nothing_ever_goes_to_standard_output(self, capfd: pytest.CaptureFixture[str]) -> None:
        resolve(records(), None, progress=True)
        written = capfd.readouterr()
        assert written.out == ""
        assert "reading the table …" in written.err
        assert "entities among 120 records" in written.err

    def test_being_watched_changes_nothing(self) -> None:
        assert same_draws(resolve(records(), progress=Lines(io.StringIO())), resolve(records()))


class TestLines:
    @pytest.mark.usefixtures("at_once")
    def test_what_they_say(self) -> None:
        out = io.StringIO()
        posterior = resolve(records(), RULED, progress=Lines(out), draws=50)
        text = out.getvalue()
        steps = ["reading the table", "finding candidate pairs", "comparing values", "summing up"]
        assert [text.index(f"{step} …") for step in steps] == sorted(text.index(f"{step} …") for step in steps)
        assert "largest blocks" in text
        assert "draws 100/100" in text
        assert text.endswith(f"{posterior.verdict}\n")
        assert "\x1b" not in text

    def test_one_in_a_while_and_the_last(self, monkeypatch: pytest.MonkeyPatch) -> None:
        clock = Seconds(monkeypatch)
        out = io.StringIO()
        lines = Lines(out)
        for done in range(0, 201, 2):
            lines.pace(pace(done))
            clock.pass_by(1)
        shown = [line.split(" · ")[0] for line in out.getvalue().splitlines()]
        # A look each second, a line each ten.
        assert shown == [f"draws {done}/200" for done in range(20, 201, 20)]

    def test_a_line(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seconds, clock = Seconds(monkeypatch), Clock()
        clock.due(pace(0)._replace(steps=500_000), 10)
        seconds.pass_by(50)
        line = clock.line(pace(50))
        assert line.startswith("draws 50/200 · 1,205 entities · 1.2% moved · 40.0 k steps/s · R-hat ")
        assert line.endswith(" · 2 min 30 s left")
        assert clock.line(pace(200)).endswith(" · 50 s")
        assert clock.line(pace(50, warming=True)).startswith("warm-up 50 · ")
        assert "left" not in clock.line(pace(50, warming=True))


class TestLive:
    @pytest.mark.usefixtures("at_once")
    def test_a_terminal_keeps_what_is_told(self) -> None:
        out = io.StringIO()
        console = Console(file=out, force_terminal=True, width=200, color_system=None)
        posterior = resolve(records(), RULED, progress=Live(console), draws=100)
        text = out.getvalue()
        assert "\x1b[" in text
        assert "largest blocks" in text
        assert posterior.verdict.splitlines()[0] in text

    @pytest.mark.usefixtures("at_once")
    def test_a_line_moves(self) -> None:
        out = io.StringIO()
        live = Live(Console(file=out, force_terminal=True, width=200, color_system=None))
        for done in (0, 100, 180):
            live.pace(pace(done))
            live.live.refresh()
        live.close()
        text = out.getvalue()
        assert "draws 100/200 · 1,205 entities ·" in text
        assert text.index("draws 100/200") < text.index("draws 180/200")
        # What was there is erased.
        assert text.endswith("\x1b[2K")

    def test_square_brackets_are_kept(self) -> None:
        out = io.StringIO()
        live = Live(Console(file=out, force_terminal=True, width=100))
        live.tell("same [red]last[/red] name")
        live.close()
        assert "same [red]last[/red] name" in out.getvalue()

    def test_it_is_left_tidy_when_something_goes_wrong(self) -> None:
        live = Live(Console(file=io.StringIO(), force_terminal=True))
        with pytest.raises(ct.InputError):
            resolve(records(), ct.Model(fields={"nothing": fields.Text()}), progress=live)
        assert not live.live.is_started

    def test_it_is_shown_in_a_terminal_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        assert isinstance(progress_for(False), Silent)
        assert isinstance(progress_for(True), Lines)
        terminal = io.StringIO()
        monkeypatch.setattr(terminal, "isatty", lambda: True, raising=False)
        monkeypatch.setattr("sys.stderr", terminal)
        monkeypatch.setenv("TERM", "xterm")
        live = progress_for(True)
        live.close()
        assert isinstance(live, Live)


def test_rhat_so_far_knows_too_little_and_disagreement() -> None:
    assert np.isnan(rhat_so_far(pace(0)))
    assert np.isnan(rhat_so_far(pace(0)._replace(counts=[])))
    assert rhat_so_far(pace(200)) == pytest.approx(1.0, abs=0.1)
    rng = np.random.default_rng(1)
    far = [rng.integers(low, low + 10, 100).tolist() for low in (10, 90)]
    assert rhat_so_far(pace(200)._replace(counts=far)) > 1.5
    # The chain that is behind decides how much is compared.
    assert np.isfinite(rhat_so_far(pace(200)._replace(counts=[far[0], far[0][:60]])))
