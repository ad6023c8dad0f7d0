"""What section 4, section 5 and appendix D say in words about figures 1 and 2, and how each sentence is judged."""

from typing import NamedTuple

from coterie.paper.judges import (
    Judge,
    Spreads,
    Verdict,
    best_overall,
    both,
    captures,
    closest,
    low,
    nearer,
    none_superior,
    second,
    whiskers_reach,
)
from coterie.paper.published import MODELS, PARTITIONS


class Claim(NamedTuple):
    """A sentence of the paper, where it stands, and how to judge it."""

    where: str
    text: str
    judge: Judge


_SIM, _SHIW = "simulated", "SHIW"
_MIXTURES = ("MFM", "DP", "PYP")
_FIGURES = "section 4"
# Sentences that stand in the paper's source but were left out of its print.
_UNPRINTED = "appendix D, left out of print"

# Word for word, apart from "…" where a sentence is cut.
CLAIMS = (
    Claim(
        _FIGURES,
        "The models are able to capture the mean cluster size for each data set …",
        both(*(captures(p, "mean", MODELS, expected=True) for p in PARTITIONS)),
    ),
    Claim(
        _FIGURES, "… although the NBNB model's values are slightly low.", low("mean", "NBNB", tuple(PARTITIONS))
    ),
    Claim(
        _FIGURES,
        "For the SHIW partition, none of the models do especially well at capturing the number of singleton "
        "clusters …",
        captures(_SHIW, "singletons", MODELS, expected=False),
    ),
    Claim(
        _FIGURES,
        "… or the maximum cluster size …",
        captures(_SHIW, "largest", MODELS, expected=False),
    ),
    Claim(
        _FIGURES,
        "… although the NBNB and PERPS models are the closest.",
        both(*(closest(_SHIW, s, ("NBNB", "PERPS")) for s in ("singletons", "largest"))),
    ),
    Claim(
        _FIGURES,
        "For the simulated partition, neither the PYP mixture model or the PERPS model are able to capture the "
        "maximum cluster size.",
        both(*(captures(_SIM, "largest", (m,), expected=False) for m in ("PYP", "PERPS"))),
    ),
    Claim(
        _FIGURES,
        "The PERPS model also does poorly at capturing the 90% quantile.",
        captures(_SIM, "quantile_90", ("PERPS",), expected=False),
    ),
    Claim(
        _FIGURES,
        "Overall, the NBNB model appears to fit both data sets better than the other models …",
        best_overall,
    ),
    Claim(_FIGURES, "… though no one model is clearly superior to the others.", none_superior),
    Claim(
        "section 5",
        "… in some ways—specifically the number of singleton clusters and the maximum cluster size—the NBNB model "
        "can fit partitions typical of those arising in entity resolution better than several commonly used "
        "mixture models.",
        both(*(nearer(p, s, "NBNB", _MIXTURES, least=2) for p in PARTITIONS for s in ("singletons", "largest"))),
    ),
    Claim(
        _UNPRINTED,
        "For the simulated partition, the median number of singleton clusters under the PYP model is closest to "
        "the true number …",
        closest(_SIM, "singletons", ("PYP",)),
    ),
    Claim(
        _UNPRINTED,
        "… for the SHIW partition, the PERPS model is closest.",
        closest(_SHIW, "singletons", ("PERPS",)),
    ),
    Claim(
        _UNPRINTED,
        "For both data sets, the NBNB model is a close second.",
        both(*(second(p, "singletons", "NBNB") for p in PARTITIONS)),
    ),
    Claim(
        _UNPRINTED,
        "For the simulated partition, the PERPS model has the closest median maximum cluster size …",
        closest(_SIM, "largest", ("PERPS",)),
    ),
    Claim(
        _UNPRINTED,
        "… the true maximum cluster size is within the plot ‘whiskers’ for the NBNB, MFM, and DP models.",
        whiskers_reach(_SIM, "largest", ("NBNB", "MFM", "DP")),
    ),
)


def judge_all(spreads: Spreads) -> list[Verdict]:
    """Judge every claim."""
    return [claim.judge(spreads) for claim in CLAIMS]
