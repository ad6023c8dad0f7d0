"""Laws and parameters as they are typed, and what is refused."""

import math

import pytest

from coterie import InputError, priors
from coterie.cli import expressions
from laws import LAWS, WITH_GAPS


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3", 3),
        ("-0.25", -0.25),
        ("1e-7", 1e-7),
        ("1/3", 1 / 3),
        ("2*(1+3)-1", 7),
        ("100_000", 100_000),
        ("0.7,0.2,0.1", [0.7, 0.2, 0.1]),
        ("1,", [1]),
        ("[1/2, 1/2]", [0.5, 0.5]),
        ("ShiftedNegBin(r=1,p=0.3)", priors.ShiftedNegBin(r=1, p=0.3)),
        ("shifted_negbin(1, 0.3)", priors.ShiftedNegBin(r=1, p=0.3)),
        ("priors.Exactly(100_000)", priors.Exactly(100_000)),
        ("Probabilities([0.5, 0.5])", priors.Probabilities([0.5, 0.5])),
        ("priors.one_minus(1e-9)", priors.one_minus(1e-9)),
        ("ShiftedNegBin", priors.ShiftedNegBin),
    ],
)
def test_values(text, expected):
    assert expressions.value(text) == expected


@pytest.mark.parametrize("law", (LAWS | WITH_GAPS).values(), ids=LAWS | WITH_GAPS)
def test_the_repr_of_every_law_can_be_typed(law):
    typed = expressions.law(repr(law), {})
    assert type(typed) is type(law)
    for name, value in law.parameters.items():
        if isinstance(value, priors.Probabilities):
            # A vector is divided by its sum, which may move its last digit.
            assert typed.parameters[name].values == pytest.approx(value.values, rel=1e-15)
        else:
            assert typed.parameters[name] == value


@pytest.mark.parametrize(
    "name", ["DirichletProcess", "dirichletprocess", "dirichlet-process", "DIRICHLET_PROCESS"]
)
def test_capitals_and_hyphens_in_names_do_not_matter(name):
    assert expressions.law(name, {"theta": 2}) == priors.DirichletProcess(theta=2)


def test_families_are_the_laws_that_can_be_made():
    named = {law.__name__ for law in expressions.families()}
    assert named == {type(law).__name__ for law in LAWS.values()}


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "().__class__",
        "priors.one_minus.__globals__",
        "(lambda: 1)()",
        "[x for x in (1, 2)]",
        "ShiftedNegBin(*[1, 0.3])",
        "ShiftedNegBin(**{'r': 1})",
        "1 if 1 else 2",
        "x := 3",
        "f'{1}'",
        "'text'",
        "True",
        "None",
        "1j",
        "9**9",
        "1/0",
        "1e308*10/1e-308 + 10**2",
        "~1",
        "",
        "1 2",
        "(" * 5_000 + "1" + ")" * 5_000,
        "-" * 50_000 + "1",
        "9" * 5_000,
        "one_minus",
        "numpy.array",
    ],
)
def test_all_else_is_refused_and_nothing_is_run(text):
    with pytest.raises(InputError, match="Expected"):
        expressions.law("DirichletProcess", expressions.assignments([f"theta={text}"]))


@pytest.mark.parametrize(
    ("assignments", "message"),
    [
        (["theta"], "a parameter as name=value, got 'theta'"),
        (["theta="], "a parameter as name=value"),
        (["=2"], "a parameter as name=value"),
        (["theta=1", "theta=2"], "one value for 'theta', got two"),
        (["m=3"], "the parameters theta of DirichletProcess, got m"),
        ([], "the parameters theta of DirichletProcess, got none"),
        (["theta=0"], "a number above 0"),
    ],
)
def test_parameters_that_do_not_make_the_law(assignments, message):
    with pytest.raises(InputError, match=message):
        expressions.law("DirichletProcess", expressions.assignments(assignments))


@pytest.mark.parametrize("text", ["Exactly(3)", "0.5, 0.5", "NoLaw", "DirichletProcess(2", "3"])
def test_what_is_no_law_of_partitions(text):
    with pytest.raises(InputError):
        expressions.law(text, {})


def test_brackets_and_assignments_together_are_ambiguous():
    with pytest.raises(InputError, match="the parameters once"):
        expressions.law("DirichletProcess(theta=2)", {"theta": 2})


def test_numbers_keep_their_digits():
    assert expressions.value("1e-12") == 1e-12
    assert priors.NBNB(1, expressions.value("one_minus(1.4e-7)"), 1, 0.5).q.complement == 1.4e-7
    assert math.isinf(expressions.value("1e999"))  # which every parameter refuses
