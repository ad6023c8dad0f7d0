"""The draws as ArviZ takes them: numbers that do not depend on how entities are labelled."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from coterie.errors import CoterieError

if TYPE_CHECKING:
    from coterie.posterior.posterior import Posterior


class MissingLibraryError(CoterieError, ImportError):
    """A library that is not always there is needed."""


def to_arviz(posterior: "Posterior") -> Any:
    """Return a DataTree with |C|, singletons, ψ and the prior's parameters, by chain and draw."""
    try:
        base = import_module("arviz_base")
    except ImportError as error:
        words = "Expected the libraries arviz-base and xarray, got neither. Install coterie[arviz]."
        raise MissingLibraryError(words) from error
    chains = posterior.chains
    draws = min(chain.draws for chain in chains)
    cuts = np.cumsum([chain.draws for chain in chains])[:-1]

    def by_chain(values: Any) -> Any:
        return np.array([part[-draws:] for part in np.split(values, cuts)])

    nothing = np.zeros(posterior.draws, np.int64)
    variables = {
        "entities": by_chain(posterior.entity_count),
        "singletons": by_chain(posterior.size_counts.get(1, nothing)),
    }
    dims, coords = {}, {}
    if posterior.fields:
        variables["psi"] = np.array([chain.psi[-draws:] for chain in chains])
        dims["psi"] = ["field", "source"]
        coords["field"] = [field.name for field in posterior.fields]
        coords["source"] = [str(source) for source in posterior.sources]
    variables |= {name: by_chain(values) for name, values in posterior.prior_parameters.items()}
    return base.from_dict({"posterior": variables}, dims=dims, coords=coords)
