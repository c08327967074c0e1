"""Marks errors that leave open if a write was accepted. A caller that trusted them would make the write a second time."""

from collections.abc import Generator
from contextlib import contextmanager

from .client_error import ClientError
from .problem import ApiProblem


def mark_uncertain(error: ApiProblem | ClientError, advice: str) -> None:
    """Makes `submission_uncertain` true, and adds the advice to the message."""
    if not error.submission_uncertain:
        error.submission_uncertain = True
        error.args = (f"{error} {advice}",)


@contextmanager
def uncertainly(advice: str) -> Generator[None]:
    """Marks the error of the work. An error that is not of the API or the client stays as it is."""
    try:
        yield
    except (ApiProblem, ClientError) as error:
        mark_uncertain(error, advice)
        raise
