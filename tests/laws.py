"""The laws that the contract is tested on: every class, with common and with extreme parameters."""

from coterie import priors
from coterie.priors import one_minus

# Sizes without a gap, so that every law here has steps for any n.
SHAPE = [0.5, 0.2, 0.05, 0.1, 0.05, 0.06, 0.04]

# Common parameters: every partition of a few elements has a probability that is worth a test.
COMMON: dict[str, priors.Law] = {
    "nbnb": priors.NBNB(a=1, q=0.9, r=6, p=1 / 3),
    "nbnb-small": priors.NBNB(a=0.4, q=0.25, r=0.3, p=0.7),
    "perps": priors.PERPS(alpha=3, lam=0.7),
    "dirichlet-process": priors.DirichletProcess(theta=2),
    "pitman-yor": priors.PitmanYor(theta=1, delta=0.5),
    "pitman-yor-negative-theta": priors.PitmanYor(theta=-0.25, delta=0.6),
    "pitman-yor-zero-theta": priors.PitmanYor(theta=0, delta=0.3),
    "pitman-yor-zero-delta": priors.PitmanYor(theta=1.5, delta=0),
    "finite-dirichlet": priors.FiniteDirichlet(m=9, gamma=0.5),
    "finite-dirichlet-few": priors.FiniteDirichlet(m=3, gamma=2),
    "mfm-vector": priors.MixtureOfFiniteMixtures(gamma=1.5, components=[0.2, 0.0, 0.3, 0.1, 0, 0, 0, 0.4]),
    "mfm-poisson": priors.MixtureOfFiniteMixtures(gamma=0.7, components=priors.ShiftedPoisson(4)),
    "mfm-negbin": priors.MixtureOfFiniteMixtures(gamma=0.4, components=priors.ShiftedNegBin(r=2, p=0.8)),
    "mfm-uniform": priors.MixtureOfFiniteMixtures(gamma=1, components=priors.Uniform(6)),
    "mfm-exactly": priors.MixtureOfFiniteMixtures(gamma=0.5, components=priors.Exactly(4)),
    "linkage-structure": priors.LinkageStructure(m=7),
    "linkage-structure-few": priors.LinkageStructure(m=3),
    "nbd-vector": priors.NBD(a=1.5, q=0.4, mu=SHAPE),
    "nbd-short": priors.NBD(a=2, q=0.6, mu=[0.6, 0.3, 0.1]),
    "nbd-negbin": priors.NBD(a=0.5, q=0.7, mu=priors.ShiftedNegBin(r=1, p=0.3)),
    "nbd-truncated": priors.NBD(a=3, q=0.2, mu=priors.TruncatedNegBin(r=0.2, p=0.6)),
    "esc-vector": priors.ESC(mu=SHAPE),
    "esc-poisson": priors.ESC(mu=priors.ShiftedPoisson(0.8)),
    "esc-uniform": priors.ESC(mu=priors.Uniform(4)),
    "compound-poisson-log-series": priors.CompoundPoisson(alpha=1.2, mu=priors.LogSeries(0.4)),
    "compound-poisson-truncated": priors.CompoundPoisson(alpha=2, mu=priors.TruncatedPoisson(0.9)),
}

# Far out, where K may be 10⁹ or 10¹², or nearly everything is together, or apart.
EXTREME: dict[str, priors.Law] = {
    "nbnb-fitted": priors.NBNB(a=102.4, q=one_minus(1.396e-7), r=2.955e-5, p=0.1875),
    "nbnb-many-components": priors.NBNB(a=2, q=one_minus(1e-9), r=1e-9, p=0.5),
    "nbnb-long": priors.NBNB(a=1e-3, q=1e-6, r=40, p=one_minus(1e-8)),
    "nbnb-poisson": priors.NBNB(a=1e9, q=3e-9, r=1e9, p=1e-9),
    "perps-many": priors.PERPS(alpha=1e12, lam=1e-12),
    "perps-few": priors.PERPS(alpha=1e-9, lam=1e3),
    "dirichlet-process-apart": priors.DirichletProcess(theta=1e12),
    "dirichlet-process-together": priors.DirichletProcess(theta=1e-12),
    "pitman-yor-near-one": priors.PitmanYor(theta=1e-6, delta=0.999999),
    "pitman-yor-near-the-edge": priors.PitmanYor(theta=-0.5, delta=0.5000001),
    "finite-dirichlet-flat": priors.FiniteDirichlet(m=5, gamma=1e12),
    "finite-dirichlet-sparse": priors.FiniteDirichlet(m=10**9, gamma=1e-9),
    "mfm-many": priors.MixtureOfFiniteMixtures(gamma=1e-4, components=priors.Exactly(10**5)),
    "mfm-one": priors.MixtureOfFiniteMixtures(gamma=0.3, components=priors.Exactly(1)),
    "linkage-structure-many": priors.LinkageStructure(m=10**12),
    "linkage-structure-one": priors.LinkageStructure(m=1),
    "nbd-sparse": priors.NBD(a=1e-6, q=1e-6, mu=priors.ShiftedNegBin(r=1, p=0.5)),
    "nbd-certain": priors.NBD(a=0.5, q=one_minus(1e-12), mu=SHAPE),
    "esc-log-series": priors.ESC(mu=priors.LogSeries(one_minus(1e-6))),
    "compound-poisson-many": priors.CompoundPoisson(alpha=1e9, mu=priors.ShiftedPoisson(1e-6)),
    "compound-poisson-few": priors.CompoundPoisson(alpha=1e-12, mu=priors.ShiftedPoisson(1e-6)),
}

LAWS = COMMON | EXTREME

# Laws of sizes that skip some: exact draws they have, steps they have not.
WITH_GAPS: dict[str, priors.Law] = {
    "esc-even": priors.ESC(mu=[0, 0.7, 0, 0.3]),
    "nbd-gap": priors.NBD(a=2, q=0.3, mu=[0.5, 0, 0.5]),
    "compound-poisson-exactly": priors.CompoundPoisson(alpha=2, mu=priors.Exactly(2)),
}
