"""The reference names everything public, and every law tells its formula and when to choose it."""

import inspect
import re
from pathlib import Path

import pytest

import coterie
from coterie import candidates, fields, posterior, priors, sampler, tables

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in sorted(REFERENCE.glob("*.md")))
DOCUMENTED = set(re.findall(r"^\.\. auto(?:class|function):: (coterie[\w.]+)", TEXT, flags=re.MULTILINE))

PUBLIC = {f"coterie.{name}" for name in coterie.__all__ if name not in {"fields", "priors", "sampler"}}
PUBLIC |= {f"coterie.priors.{name}" for name in priors.__all__}
PUBLIC |= {f"coterie.fields.{name}" for name in fields.__all__}
PUBLIC |= {f"coterie.sampler.{name}" for name in sampler.__all__}
PUBLIC |= {f"coterie.tables.{name}" for name in tables.__all__}
PUBLIC |= {f"coterie.candidates.{name}" for name in candidates.__all__ if name != "ALL_PAIRS_UP_TO"}
PUBLIC |= {f"coterie.posterior.{name}" for name in posterior.__all__ if name != "Posterior"}
LAWS = [
    law
    for law in (getattr(priors, name) for name in priors.__all__)
    if inspect.isclass(law) and issubclass(law, priors.Law) and law is not priors.Law
]


def test_the_reference_names_everything_public_and_nothing_else() -> None:
    assert DOCUMENTED == PUBLIC


def test_there_are_nine_laws_and_their_limit() -> None:
    assert len(LAWS) == 10


@pytest.mark.parametrize("law", LAWS)
def test_every_law_tells_its_formula(law: type[priors.Law]) -> None:
    formula = re.search(r":\n\n((?: {4,}.*P\(C_N.*\n)+)", law.__doc__ or "")
    assert formula is not None
    assert " = " in formula[1]


@pytest.mark.parametrize("law", [law for law in LAWS if law is not priors.CompoundPoisson])
def test_every_law_says_when_to_choose_it(law: type[priors.Law]) -> None:
    assert re.search(r"[Cc]hoose it", law.__doc__ or "")


@pytest.mark.parametrize("law", LAWS)
def test_every_parameter_is_explained_and_every_law_has_an_example(law: type[priors.Law]) -> None:
    page = law.__doc__ or ""
    assert ">>> " in page
    told = page.split("Parameters\n")[1].split("Examples\n")[0]
    for parameter in law.domains:
        assert re.search(rf"^\s+(\w+, )*{parameter}(, \w+)*$", told, flags=re.MULTILINE), parameter


@pytest.mark.parametrize("law", LAWS)
def test_every_law_has_a_section_on_the_page_of_laws(law: type[priors.Law]) -> None:
    page = (REFERENCE.parent / "laws.md").read_text(encoding="utf-8")
    section = re.search(rf"^## .*\(`{law.__name__}`\)\n((?:(?!^## ).*\n)+)", page, flags=re.MULTILINE)
    assert section is not None
    assert "$$" in section[1]
    assert "**Choose it**" in section[1]
