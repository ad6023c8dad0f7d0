"""The five models of section 4, with the parameters that the paper prints and with the best ones."""

import math
from typing import Any, NamedTuple

from coterie import priors
from coterie.fitting import Fit, fit
from coterie.paper.published import MFM_COMPONENTS, MODELS, PARTITIONS, printed
from coterie.paper.track import Track
from coterie.priors.law import Law

PARAMETER_SETS = ("published", "recomputed")

FAMILIES: dict[str, tuple[type[Law], dict[str, Any]]] = {
    "NBNB": (priors.NBNB, {}),
    "PERPS": (priors.PERPS, {}),
    "MFM": (priors.MixtureOfFiniteMixtures, {"components": priors.Exactly(MFM_COMPONENTS)}),
    "DP": (priors.DirichletProcess, {}),
    "PYP": (priors.PitmanYor, {}),
}

# Laws of the number of components K that the paper might have meant in its mixture of finite mixtures.
COMPONENTS: dict[str, priors.CountLaw] = {
    "K = 100,000": priors.Exactly(MFM_COMPONENTS),
    "K − 1 ~ Poisson(99,999)": priors.ShiftedPoisson(MFM_COMPONENTS - 1),
    "K − 1 geometric, mean 99,999": priors.ShiftedNegBin(r=1, p=priors.one_minus(1 / MFM_COMPONENTS)),
    "K uniform on 1, …, 199,999": priors.Uniform(2 * MFM_COMPONENTS - 1),
}

# Laws of this package that the paper does not have, with what is fitted of them.
BEYOND: dict[str, tuple[type[Law], dict[str, Any]]] = {
    "NBD, any μ": (priors.NBD, {}),
    "ESC, any μ": (priors.ESC, {}),
    "NBD, μ shifted negative binomial": (priors.NBD, {"mu": priors.ShiftedNegBin}),
    "ESC, μ shifted Poisson": (priors.ESC, {"mu": priors.ShiftedPoisson}),
    "finite Dirichlet mixture": (priors.FiniteDirichlet, {}),
    "linkage structure": (priors.LinkageStructure, {}),
}


class Setting(NamedTuple):
    """A model with one set of parameters, for one partition."""

    partition: str
    model: str
    parameters: str
    law: Law


def fit_models(track: Track) -> dict[tuple[str, str], Fit]:
    """Fit the five models to both partitions."""
    keys = [(name, model) for name in PARTITIONS for model in MODELS]
    fits = {}
    for name, model in track(keys, len(keys), "Fitting the models"):
        family, fixed = FAMILIES[model]
        fits[name, model] = fit(family, PARTITIONS[name], **fixed)
    return fits


def fit_beyond(track: Track) -> dict[tuple[str, str], Fit]:
    """Fit the laws that the paper does not have to both partitions."""
    keys = [(name, model) for name in PARTITIONS for model in BEYOND]
    fits = {}
    for name, model in track(keys, len(keys), "Fitting further laws"):
        family, fixed = BEYOND[model]
        fits[name, model] = fit(family, PARTITIONS[name], **fixed)
    return fits


def fit_components(track: Track) -> dict[tuple[str, str], Fit]:
    """Fit the mixture of finite mixtures with other laws of K to both partitions."""
    keys = [(name, components) for name in PARTITIONS for components in COMPONENTS]
    fits = {}
    for name, components in track(keys, len(keys), "Trying laws of K"):
        law_of_k = COMPONENTS[components]
        fits[name, components] = fit(priors.MixtureOfFiniteMixtures, PARTITIONS[name], components=law_of_k)
    return fits


def published_law(partition: str, model: str) -> Law:
    """Return a model as the paper prints it, with what the paper leaves out filled in.

    Of PERPS only λ is printed; the best α for it is k/(1 − e^−λ). Of NBNB on the simulated partition q is printed
    with too few digits; the best q for the other three printed values takes its place.

    Examples
    --------
    >>> published_law("SHIW", "NBNB")
    NBNB(a=100.6, q=0.9267, r=1001.0, p=0.0006212)
    """
    values: dict[str, Any] = printed(partition, model)
    if model == "PERPS":
        values["alpha"] = PARTITIONS[partition].k / -math.expm1(-values["lam"])
    if (partition, model) == ("simulated", "NBNB"):
        values["q"] = q_meant()
    family, fixed = FAMILIES[model]
    return family(**(fixed | values))


def q_meant() -> float:
    """Return the best q of the simulated partition for a, r and p as they are printed."""
    values: dict[str, Any] = printed("simulated", "NBNB")
    del values["q"]
    q: float = fit(priors.NBNB, PARTITIONS["simulated"], **values).law.parameters["q"]
    return q


def law_to_draw(found: Fit) -> Law:
    """Return the law that stands for a fit: the limit where the supremum lies at the edge, else the best law."""
    return found.law if found.limit is None else found.limit


def settings(fits: dict[tuple[str, str], Fit]) -> list[Setting]:
    """Return every model with both sets of parameters, for both partitions."""
    chosen = []
    for name in PARTITIONS:
        for model in MODELS:
            chosen.append(Setting(name, model, "published", published_law(name, model)))
            chosen.append(Setting(name, model, "recomputed", law_to_draw(fits[name, model])))
    return chosen
