"""Noisy records of made-up people, with the truth: for tests, demonstrations and benchmarks.

`simulate` (generator.py) puts the parts together. Names and places come from Faker's lists (locale.py); people
live in households (people.py) at addresses whose parts belong together (addresses.py). Their records are spread
over sources (sources.py) while they move and change names (lives.py), and then cells go wrong (cells.py,
keyboard.py, dates.py).
"""

from coterie.simulation.generator import simulate
from coterie.simulation.simulated import Simulated

__all__ = ["Simulated", "simulate"]
