"""The errors that Coterie raises: each says what was expected, what was got, and what to do."""


class CoterieError(Exception):
    """Base class of every error that Coterie raises on purpose."""


class InputError(CoterieError, ValueError):
    """What was passed in cannot be used.

    Parameters
    ----------
    expected
        What the function takes.
    got
        What it was given.
    hint
        What to do about it.

    Examples
    --------
    >>> print(InputError("a number above 0 for 'theta'", "-1.0", "Pass the concentration itself."))
    Expected a number above 0 for 'theta', got -1.0. Pass the concentration itself.
    """

    def __init__(self, expected: str, got: str, hint: str) -> None:
        super().__init__(f"Expected {expected}, got {got}. {hint}")
        self.expected, self.got, self.hint = expected, got, hint

    def __reduce__(self) -> tuple[type["InputError"], tuple[str, str, str]]:
        return InputError, (self.expected, self.got, self.hint)
