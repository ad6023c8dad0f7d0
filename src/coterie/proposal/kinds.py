"""Which kind of field a column is, from what it holds."""

import datetime
import re
from typing import Any, NamedTuple

import numpy as np

from coterie.errors import InputError
from coterie.fields import Category, Date, Number, Text
from coterie.fields.field import Single
from coterie.proposal.profile import DIGIT, Profile

DATE = re.compile(r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}([T ].*)?|\d{1,2}[-/. ]\d{1,2}[-/. ]\d{4}([T ].*)?")
EIGHT_DIGITS = re.compile(r"(1[89]|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])")
WHOLE = re.compile(r"-?(0|[1-9]\d*)")
DECIMAL = re.compile(r"-?\d+([.]\d+)?([eE]-?\d+)?")
ZERO_FIRST = re.compile(r"0\d+")

# A column that hardly any record has is hardly ever evidence.
LEAST_FILLED = 0.005
# Below this many records, values that all differ may do so by chance.
FEW_RECORDS = 20
# What has more words, or letters, than this is prose, whose wording says little about who is meant.
WORDS, LETTERS = 8.0, 60.0
# A column of dates may hold so many mistakes.
DATES = 0.8
# Codes: so few values that typing errors among them are values, too.
FEW_VALUES = 12
FEW_NUMBERS = 9
# Whole numbers with more digits are numbers of things (telephones, accounts): errors in them are those of text.
MOST_DIGITS = 4
# Measurements that differ by this share of their spread are as good as equal.
SHARE_OF_SPREAD = 0.02
# Single words are misspelt in more ways than typing: half of the letters may differ. Comparing all with all, and
# the longer rows that come of it, are affordable for so many values.
WORD_CUTOFF, WORDS_COMPARED = 0.6, 10_000


class Choice(NamedTuple):
    """What is made of a column: a kind of field, or nothing, and why."""

    kind: Single | None
    why: str


def choose(column: Profile) -> Choice:
    """Choose the kind of field for a column; None where it is left out."""
    for rule in (_without_evidence, _typed, _date, _identifier, _prose, _number):
        choice = rule(column)
        if choice is not None:
            return choice
    return _words(column)


def _without_evidence(column: Profile) -> Choice | None:
    if column.present == 0:
        return Choice(None, "left out: no record has a value")
    if column.distinct == 1:
        return Choice(None, f"left out: always {column.examples(1)}, so it tells nobody from anybody")
    if column.filled < LEAST_FILLED:
        return Choice(None, f"left out: only {column.present:,} records have a value")
    return None


def _typed(column: Profile) -> Choice | None:
    if all(isinstance(value, bool) for value in column.values):
        return Choice(Category(), "yes or no")
    if all(isinstance(value, datetime.date | np.datetime64) for value in column.values):
        return Choice(Date(), "dates")
    return None


def _date(column: Profile) -> Choice | None:
    share = max(column.share(DATE.fullmatch), column.share(EIGHT_DIGITS.fullmatch))
    if share < DATES:
        return None
    try:
        Date().read(column.name, column.codes, column.values)
    except InputError as error:
        return Choice(Text(), f"dates, but whether the day or the month comes first is open ({error.got})")
    return Choice(Date(), f"{share:.0%} are dates such as {column.examples(1)}")


def _identifier(column: Profile) -> Choice | None:
    if column.present < FEW_RECORDS or column.distinct < column.present:
        return None
    coded = column.share(lambda value: DIGIT.search(value) and " " not in value and "@" not in value)
    if coded < DATES or column.share(lambda value: DECIMAL.fullmatch(value) and "." in value) > 1 - DATES:
        return None
    return Choice(None, "left out: an identifier, no two records have the same")


def _prose(column: Profile) -> Choice | None:
    words, letters = column.mean(lambda value: len(value.split())), column.mean(len)
    if words < WORDS and letters < LETTERS:
        return None
    return Choice(None, f"left out: free text, {words:.0f} words and {letters:.0f} letters in the mean")


def _number(column: Profile) -> Choice | None:
    """Numbers; whole ones are typed digit by digit, others measured."""
    if any(isinstance(value, bool) or not DECIMAL.fullmatch(str(value).strip()) for value in column.values):
        return None
    texts = [str(value).strip() for value in column.values]
    if column.share(ZERO_FIRST.fullmatch) > 0:
        return Choice(Text(), f"digits such as {column.examples(1)}, some with leading zeros: a code")
    if all(WHOLE.fullmatch(_whole(text)) for text in texts):
        if column.distinct <= FEW_NUMBERS:
            return Choice(Category(), f"{column.distinct} different codes: {column.examples()}")
        if max(len(_whole(text).lstrip("-")) for text in texts) <= MOST_DIGITS:
            why = f"whole numbers such as {column.examples(2)}, in which digits are mistyped"
            return Choice(Number(tolerance=0, digits=True), why)
        why = f"whole numbers, some long, such as {column.examples(2)}, in which digits are mistyped"
        return Choice(Text(), why)
    numbers = np.repeat([float(text) for text in texts], column.counts)
    low, high = np.quantile(numbers, [0.25, 0.75])
    spread = float(high - low) or float(numbers.std())
    tolerance = float(f"{SHARE_OF_SPREAD * spread:.1g}")
    why = f"measurements such as {column.examples(2)}; {tolerance:g} is a fiftieth of their middle half"
    return Choice(Number(tolerance=tolerance), why)


def _whole(text: str) -> str:
    """Return a whole number that a data frame has made a decimal one, 7.0, as it was."""
    return text[:-2] if text.endswith(".0") else text


def _words(column: Profile) -> Choice:
    if column.distinct <= FEW_VALUES:
        return Choice(Category(), f"{column.distinct} different values: {column.examples()}")
    if column.mean(lambda value: len(value.split())) < 1.5 and column.distinct <= WORDS_COMPARED:
        return Choice(Text(cutoff=WORD_CUTOFF), f"words such as {column.examples(2)}")
    return Choice(Text(), f"text such as {column.examples(1)}")


def text_of(kind: Any) -> str:
    """Return the call that makes a kind of field, without what is as it is by default."""
    default = type(kind)
    given = []
    for name in kind.__dataclass_fields__:
        value = getattr(kind, name)
        if name not in default.__dict__ or default.__dict__[name] != value:
            given.append(f"{name}={value!r}")
    return f"{default.__name__}({', '.join(given)})"
