"""What the paper prints: the two partitions, the parameters of appendix D, and the other numbers to check.

Numbers are kept as strings, because how many digits are printed is part of what is claimed.
"""

from types import MappingProxyType
from typing import NamedTuple

from coterie.partition import Partition

MODELS = ("NBNB", "PERPS", "MFM", "DP", "PYP")

# Section 4. The simulated partition is printed whole. Of SHIW the paper prints the 789 records; the counts are
# those of the survey's own identifiers (2008 and 2010, Friuli), and the printed parameters imply the same
# number of clusters (see numbers.py).
PARTITIONS = MappingProxyType(
    {
        "simulated": Partition.from_sizes({1: 4100, 2: 300, 3: 100}),
        "SHIW": Partition.from_sizes({1: 385, 2: 202}),
    }
)

# Appendix D, by the names that the laws here give their parameters.
PARAMETERS = MappingProxyType(
    {
        ("simulated", "NBNB"): {"r": "2.955e-5", "p": "0.1875", "a": "102.4", "q": "0.9999"},
        ("simulated", "PERPS"): {"lam": "0.215"},
        ("simulated", "MFM"): {"gamma": "0.279"},
        ("simulated", "DP"): {"theta": "21719"},
        ("simulated", "PYP"): {"theta": "9200", "delta": "0.540"},
        ("SHIW", "NBNB"): {"r": "1001", "p": "6.212e-4", "a": "100.6", "q": "0.9267"},
        ("SHIW", "PERPS"): {"lam": "0.624"},
        ("SHIW", "MFM"): {"gamma": "1.056e-2"},
        ("SHIW", "DP"): {"theta": "1037"},
        ("SHIW", "PYP"): {"theta": "1037", "delta": "0"},
    }
)

SYMBOLS = MappingProxyType({"lam": "λ", "gamma": "γ", "theta": "θ", "delta": "δ", "alpha": "α"})

# The paper leaves open which law of K its mixture of finite mixtures has. Of those tried (models.py), K fixed at
# this number gives the printed γ.
MFM_COMPONENTS = 100_000


class Microclustering(NamedTuple):
    """The NBNB law of appendix C, by what is printed of it, and the range of its figure."""

    a: float = 1.0
    q: float = 0.9
    mean: float = 3.0
    variance: float = 3.0**2 / 2.0
    smallest: int = 10
    largest: int = 10_000
    sweeps: int = 1_000

    @property
    def p(self) -> float:
        """From the mean m = r p/(1−p) and the variance v = r p/(1−p)²: p = 1 − m/v."""
        return 1.0 - self.mean / self.variance

    @property
    def r(self) -> float:
        """From the mean m = r p/(1−p): r = m (1−p)/p."""
        return self.mean * (1.0 - self.p) / self.p


MICROCLUSTERING = Microclustering()
# Section 4: so many partitions are drawn from each model.
DRAWS = 5_000


def printed(partition: str, model: str) -> dict[str, float]:
    """Return the printed parameters of a model as numbers.

    Examples
    --------
    >>> printed("SHIW", "PERPS")
    {'lam': 0.624}
    """
    return {name: float(text) for name, text in PARAMETERS[partition, model].items()}
