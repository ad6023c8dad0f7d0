"""Laws and parameters as they are typed: ``NBNB``, ``1/3``, ``0.7,0.2,0.1``, ``ShiftedNegBin(r=1, p=0.3)``.

The syntax is Python's, so that the repr of a law can be typed back in, but nothing is ever evaluated: the syntax
tree is walked, and what is not a number, a vector, or a law of ``coterie.priors`` is refused.
"""

import ast
import inspect
import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

from coterie import priors
from coterie.errors import InputError

_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_HINT = "Type a number such as 1/3, a vector such as 0.7,0.2,0.1, or a law such as 'ShiftedNegBin(r=1, p=0.3)'."


def _plain(name: str) -> str:
    """NBNB, nbnb; DirichletProcess, dirichlet-process: capitals, hyphens and underscores do not matter."""
    return re.sub(r"[-_]", "", name).lower()


def _classes(base: type) -> dict[str, type[Any]]:
    """Return the laws of a kind that can be made, by their plain names."""
    every = [getattr(priors, name) for name in priors.__all__]
    laws = [one for one in every if isinstance(one, type) and issubclass(one, base)]
    return {_plain(law.__name__): law for law in laws if not inspect.isabstract(law)}


def families() -> list[type[priors.Law]]:
    """Return the laws of partitions, as classes.

    Examples
    --------
    >>> [family.__name__ for family in families()][:3]
    ['ESC', 'NBD', 'NBNB']
    """
    return list(_classes(priors.Law).values())


def family(name: str) -> type[priors.Law]:
    """Return the law of partitions of that name, as a class.

    Examples
    --------
    >>> family("dirichlet-process").__name__
    'DirichletProcess'
    """
    laws = _classes(priors.Law)
    if _plain(name) not in laws:
        names = ", ".join(law.__name__ for law in laws.values())
        raise InputError("the name of a law of partitions", repr(name), f"Choose one of {names}.")
    return laws[_plain(name)]


def assignments(texts: Iterable[str]) -> dict[str, Any]:
    """Read parameters that are typed as ``name=value``.

    Examples
    --------
    >>> assignments(["a=1", "mu=ShiftedNegBin(r=1, p=0.3)"])
    {'a': 1, 'mu': ShiftedNegBin(r=1.0, p=0.3)}
    """
    parameters: dict[str, Any] = {}
    for text in texts:
        name, equals, typed = (part.strip() for part in text.partition("="))
        if not (equals and name.isidentifier() and typed):
            raise InputError("a parameter as name=value", repr(text), "Type it without spaces, as in q=0.9.")
        if name in parameters:
            raise InputError(f"one value for {name!r}", "two", "Leave one of them out.")
        parameters[name] = value(typed)
    return parameters


def law(text: str, parameters: dict[str, Any]) -> priors.Law:
    """Return the law that is typed as a name with parameters, or as the call that its repr is.

    Examples
    --------
    >>> law("dirichlet-process", {"theta": 2})
    DirichletProcess(theta=2.0)
    >>> law("NBNB(a=1, q=one_minus(1e-9), r=6, p=1/3)", {})
    NBNB(a=1.0, q=one_minus(1e-09), r=6.0, p=0.3333333333333333)
    """
    if re.fullmatch(r"[\w-]+", text):
        made = _make(family(text), [], parameters)
    elif parameters:
        got = f"{text!r} and {', '.join(parameters)}"
        raise InputError("the parameters once", got, "Type them in the brackets or as name=value.")
    else:
        made = value(text)
    if not isinstance(made, priors.Law):
        raise InputError("a law of partitions", repr(text), "Type one such as 'PERPS(alpha=100, lam=0.5)'.")
    return made


def value(text: str) -> Any:
    """Return the number, vector, law, or (a name alone) family of laws that is typed.

    Examples
    --------
    >>> value("0.5, 1/4, 0.25"), value("Exactly(100_000)")
    ([0.5, 0.25, 0.25], Exactly(m=100000))
    """
    try:
        return _value(ast.parse(text.strip(), mode="eval").body)
    except InputError:
        raise
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        # What Python's own parser says of a text that is malformed, too long or nested too deeply.
        raise InputError("a number, a vector or a law", _short(text), _HINT) from None


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_number(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            return _ARITHMETIC[type(op)](_number(left), _number(right))
        case ast.Tuple(elts=items) | ast.List(elts=items):
            return [_number(item) for item in items]
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="priors"), attr=name):
            return _named(name)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(value=ast.Name(id="priors"), attr=name)):
            arguments = [_value(item) for item in node.args]
            return _make(_named(name), arguments, {str(word.arg): _value(word.value) for word in node.keywords})
    raise InputError("a number, a vector or a law", _short(ast.unparse(node)), _HINT)


def _number(node: ast.expr) -> float:
    number = _value(node)
    if not isinstance(number, int | float):
        raise InputError("a number", _short(ast.unparse(node)), _HINT)
    return number


def _named(name: str) -> Any:
    if name == "one_minus":
        return priors.one_minus
    laws = _classes(priors.Law) | _classes(priors.CountLaw)
    if _plain(name) not in laws:
        names = ", ".join(law.__name__ for law in _classes(priors.CountLaw).values())
        raise InputError("a number, or the name of a law", repr(name), f"The laws of counts are {names}.")
    return laws[_plain(name)]


def _make(make: Callable[..., Any], arguments: list[Any], parameters: dict[str, Any]) -> Any:
    signature = inspect.signature(make)
    try:
        signature.bind(*arguments, **parameters)
    except TypeError:
        names = ", ".join(signature.parameters)
        given = ", ".join([*(str(argument) for argument in arguments), *parameters]) or "none"
        hint = "Give each of them once, as name=value."
        raise InputError(f"the parameters {names} of {make.__name__}", given, hint) from None
    return make(*arguments, **parameters)


def _short(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
