"""What a person sees while a table is resolved: a live line in a terminal, plain lines elsewhere, or nothing."""

import sys
import time
from typing import Any, Protocol, TextIO

import numpy as np

from coterie.errors import InputError
from coterie.posterior.figures import convergence
from coterie.resolution.sampling import Pace

# Seconds between two looks in a terminal, and between two lines elsewhere.
LIVE, LINES = 0.5, 10.0


class Progress(Protocol):
    """Is told what is going on."""

    def stage(self, what: str) -> None:
        """Say what begins."""

    def tell(self, text: str) -> None:
        """Say something that should stay to be read."""

    def pace(self, pace: Pace) -> None:
        """Say how far the chains are."""

    def close(self) -> None:
        """Leave the screen tidy."""


class Silent:
    """Shows nothing."""

    def stage(self, what: str) -> None:
        pass

    def tell(self, text: str) -> None:
        pass

    def pace(self, pace: Pace) -> None:
        pass

    def close(self) -> None:
        pass


class Clock:
    """Works out speed and time left; a part is the warm-up or the draws."""

    def __init__(self) -> None:
        self.part: bool | None = None
        self.begun = self.last = 0.0
        self.steps = 0

    def due(self, pace: Pace, every: float) -> bool:
        """Tell whether to show this one: the last of a part, and one in so many seconds."""
        now = time.monotonic()
        if pace.warming is not self.part:
            self.part, self.begun, self.last, self.steps = pace.warming, now, now, pace.steps
        if now - self.last < every and pace.done < pace.total:
            return False
        self.last = now
        return True

    def line(self, pace: Pace) -> str:
        """Return how far the chains are, in one line."""
        seconds = max(time.monotonic() - self.begun, 1e-9)
        speed = (pace.steps - self.steps) / seconds
        left = seconds * (pace.total - pace.done) / max(1, pace.done)
        part = "warm-up" if pace.warming else "draws"
        words = [f"{part} {pace.done:,}" if pace.warming else f"{part} {pace.done:,}/{pace.total:,}"]
        words += [f"{pace.clusters:,} entities", f"{pace.moved:.1%} moved", f"{_short(speed)} steps/s"]
        rhat = rhat_so_far(pace)
        if np.isfinite(rhat):
            words.append(f"R-hat {rhat:.2f}")
        if not pace.warming:
            words.append(f"{_time(left)} left" if pace.done < pace.total else _time(seconds))
        return " · ".join(words)


class Lines:
    """Writes plain lines, one in a while."""

    def __init__(self, out: TextIO) -> None:
        self.out, self.clock = out, Clock()

    def stage(self, what: str) -> None:
        self.tell(f"{what} …")

    def tell(self, text: str) -> None:
        print(text, file=self.out, flush=True)

    def pace(self, pace: Pace) -> None:
        if self.clock.due(pace, LINES):
            self.tell(self.clock.line(pace))

    def close(self) -> None:
        pass


class Live:
    """Keeps one line of a terminal up to date."""

    def __init__(self, console: Any) -> None:
        from rich.live import Live as RichLive

        self.console, self.clock = console, Clock()
        self.live = RichLive(console=console, refresh_per_second=4, transient=True)
        self.live.start()

    def stage(self, what: str) -> None:
        from rich.spinner import Spinner

        self.live.update(Spinner("dots", text=f"{what} …"))

    def tell(self, text: str) -> None:
        self.console.print(text, markup=False, highlight=False)

    def pace(self, pace: Pace) -> None:
        if self.clock.due(pace, LIVE):
            from rich.console import Group
            from rich.progress_bar import ProgressBar
            from rich.text import Text

            bar = ProgressBar(total=pace.total, completed=pace.done, width=40)
            self.live.update(Group(bar, Text(self.clock.line(pace), overflow="ellipsis", no_wrap=True)))

    def close(self) -> None:
        self.live.stop()


def progress_for(shown: bool | Progress) -> Progress:
    """Return what suits the place: standard error is a terminal, or not."""
    if not isinstance(shown, bool):
        if not all(hasattr(shown, name) for name in ("stage", "tell", "pace", "close")):
            hint = "True shows on standard error what is going on, False nothing."
            raise InputError("True, False, or what has the methods of Progress", repr(shown)[:60], hint)
        return shown
    if not shown:
        return Silent()
    from rich.console import Console

    console = Console(file=sys.stderr)
    return Live(console) if console.is_terminal else Lines(sys.stderr)


def rhat_so_far(pace: Pace) -> float:
    """Return R-hat of |C| in the latter half of what there is; nan where that is too little."""
    shortest = min(map(len, pace.counts), default=0)
    table = np.array([each[shortest // 2 : shortest] for each in pace.counts], np.float64)
    return convergence(table)[0] if table.size else float("nan")


def _short(number: float) -> str:
    for unit, size in (("M", 1e6), ("k", 1e3)):
        if number >= size:
            return f"{number / size:.1f} {unit}"
    return f"{number:.0f}"


def _time(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02} min"
    return f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"
