"""The arrows of import go one way, and ``import coterie`` is light."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import coterie

ROOT = Path(coterie.__file__).parent
# Each layer may import those in the lines above its own, and itself; a layer is a file or a folder of the package.
LAYERS = [
    {"errors"},
    {"seeds", "kernels"},
    {"partition", "special"},
    {"priors"},
    {"fields"},
    {"reseating", "fitting", "sampler", "simulation", "model"},
    {"tables"},
    {"candidates", "evaluation"},
    {"posterior"},
    {"proposal"},
    {"resolution"},
    {"runs"},
    {"paper", "cluster", "report"},
    {"cli"},
    {"__main__"},
]
# What each layer may import from outside of the package and the standard library, where it is not free to.
OUTSIDE = {"errors": set(), "seeds": {"numpy"}, "kernels": {"numpy", "numba"}, "partition": {"numpy"}}
OUTSIDE |= {"special": {"numpy", "scipy"}, "priors": {"numpy", "scipy"}, "reseating": {"numpy"}}
OUTSIDE |= {"fitting": {"numpy", "scipy"}}

RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def layer_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """Return the full names of all modules that a file imports, wherever in the file it does."""
    package = ["coterie", *path.relative_to(ROOT).parent.parts]
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*base, node.module] if node.module else base)
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return names


def layers_imported(path: Path) -> set[str]:
    """Return the layers that a file imports; a name taken from the package itself is that of its home."""
    layers = set()
    for name in imported(path):
        if name.startswith("coterie."):
            part = name.split(".")[1]
            layers.add(coterie._HOMES[part].split(".")[1] if part in coterie._HOMES else part)
    return layers - {"__version__"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_one_way(path: Path) -> None:
    layer = layer_of(path)
    assert layer in RANK, f"{layer} is a new layer: say in LAYERS where it stands"
    wrong = {other for other in layers_imported(path) if other != layer and RANK.get(other, 99) >= RANK[layer]}
    assert not wrong, f"{layer} imports {wrong}, which stand no lower"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_lower_layers_import_little_from_outside(path: Path) -> None:
    allowed = OUTSIDE.get(layer_of(path))
    if allowed is not None:
        outside = {name.split(".")[0] for name in imported(path)} - set(sys.stdlib_module_names) - {"coterie"}
        assert outside <= allowed


def test_kernels_know_nothing_of_the_package() -> None:
    for path in (ROOT / "kernels").glob("*.py"):
        assert layers_imported(path) <= {"kernels"}


def test_the_reader_of_imports_sees_them_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "ROOT", tmp_path)
    (tmp_path / "priors").mkdir()
    path = tmp_path / "priors" / "law.py"
    path.write_text(
        "import numpy as np\nfrom coterie import fit, priors\nfrom ..cli import app\nfrom . import counts\n"
        "def f():\n    from coterie.paper.page import write\n"
    )
    assert imported(path) == {
        "numpy",
        "coterie.fit",
        "coterie.priors",
        "coterie.cli.app",
        "coterie.priors.counts",
        "coterie.paper.page.write",
    }
    assert layers_imported(path) == {"fitting", "priors", "cli", "paper"}


def loaded_after(statements: str) -> set[str]:
    """Return the names of all modules that a fresh interpreter has loaded after these statements."""
    code = f"{statements}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = loaded_after("import coterie; dir(coterie); coterie.__version__")
    heavy = {"numpy", "numba", "scipy", "matplotlib", "typer", "rich", "llvmlite"}
    assert not {name.split(".")[0] for name in loaded} & heavy
    assert {name for name in loaded if name.startswith("coterie.")} == set()


def test_partitions_need_numpy_alone() -> None:
    loaded = {name.split(".")[0] for name in loaded_after("import coterie; coterie.Partition, coterie.InputError")}
    assert not loaded & {"numba", "scipy", "matplotlib", "typer", "rich"}


def test_loading_the_laws_compiles_nothing() -> None:
    # The file that compiles a kernel stands in a cache; a dispatcher without signatures has not been compiled.
    statements = (
        "import coterie; coterie.priors, coterie.reseat\n"
        "from coterie.kernels import mixing, renewal, reseating, urn\n"
        "names = [f for m in (mixing, renewal, reseating, urn) for f in vars(m).values()]\n"
        "kernels = [f for f in names if hasattr(f, 'signatures')]\n"
        "assert len(kernels) > 10\n"
        "assert not any(f.signatures for f in kernels)"
    )
    assert "matplotlib" not in {name.split(".")[0] for name in loaded_after(statements)}


def test_every_public_name_is_there() -> None:
    for name in coterie.__all__:
        assert getattr(coterie, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        coterie.nothing  # noqa: B018
