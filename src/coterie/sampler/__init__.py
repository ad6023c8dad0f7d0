"""Draws from the posterior over partitions of records, with distortion rates and parameters of the prior.

`make_target` says what the posterior is, `start` makes a first state, and `step(rng, state, target)` the next one.
`run` does that for several chains at once. Everything here is arrays; tables and data frames come in elsewhere.
"""

from coterie.sampler.chains import Draws, run
from coterie.sampler.checkpoint import load, save
from coterie.sampler.defaults import default_prior
from coterie.sampler.start import start
from coterie.sampler.state import Info, State
from coterie.sampler.step import step, sweep_one_by_one
from coterie.sampler.target import Target, make_target
from coterie.sampler.truths import Truths, draw_truths
from coterie.sampler.work import Work, make_work

__all__ = [
    "Draws",
    "Info",
    "State",
    "Target",
    "Truths",
    "Work",
    "default_prior",
    "draw_truths",
    "load",
    "make_target",
    "make_work",
    "run",
    "save",
    "start",
    "step",
    "sweep_one_by_one",
]
