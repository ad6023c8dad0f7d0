"""A few lines that a person without statistics understands."""

from coterie.posterior.diagnosis import Diagnosis
from coterie.posterior.scores import Expected, ExpectedScores


def verdict(
    n: int, entities: Expected, diagnosis: Diagnosis, scores: ExpectedScores | None, notes: tuple[str, ...] = ()
) -> str:
    """Return what was found, whether it can be trusted, how right it is expected to be, and what to look at.

    Parameters
    ----------
    n
        The number of records.
    entities
        |C|.
    diagnosis
        What is known of the draws.
    scores
        The expected scores of the estimate; None where there is none.
    notes
        Sentences to end with.
    """
    lines = [_count(n, entities), _trust(diagnosis)]
    lines += [f"{finding.words} {finding.advice}" for finding in diagnosis.findings if finding.severity != "note"]
    if scores is not None and diagnosis.status != "problem":
        lines.append(
            f"Expected precision {scores.precision.mean:.3f}, recall {scores.recall.mean:.3f}: of 1,000 pairs of "
            f"records that are put together about {round(1000 * (1 - scores.precision.mean))} are wrong, and of "
            f"1,000 that belong together about {round(1000 * (1 - scores.recall.mean))} are missed."
        )
    if diagnosis.pairs is not None:
        lines.append(_doubt(diagnosis.pairs.doubtful))
    return "\n".join([*lines, *notes])


def _count(n: int, entities: Expected) -> str:
    low, high = round(entities.low), round(entities.high)
    interval = "in every draw" if low == high else f"90 %: {low:,} to {high:,}"
    many = "entity" if round(entities.mean) == 1 else "entities"
    records = "record" if n == 1 else "records"
    return f"{round(entities.mean):,} {many} among {n:,} {records} ({interval})."


def _trust(diagnosis: Diagnosis) -> str:
    if diagnosis.status == "problem":
        return "Do not use this yet:"
    if diagnosis.status == "caution":
        return "To be used with care:"
    return "The chains agree."


def _doubt(pairs: int) -> str:
    if pairs == 0:
        return "No pair is in doubt."
    if pairs == 1:
        return "1 pair deserves a look: see pairs() and explain()."
    return f"{pairs:,} pairs deserve a look: see pairs() and explain()."
