"""Marks errors that leave open if a write was accepted. A caller that trusted them would make the write a second time."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import NoReturn

from .client_error import ClientError
from .problem import ApiProblem


def raise_uncertain(error: Exception, advice: str) -> NoReturn:
    """Raises the error with `submission_uncertain` true, and the advice at the end of its message.

    An error of the application, for example of its store, becomes the cause of a ClientError `outcome_unknown`.
    """
    if not isinstance(error, ApiProblem | ClientError):
        message = f"Something failed after the request was sent ({error}). {advice}"
        raise ClientError("outcome_unknown", message, submission_uncertain=True) from error
    if not error.submission_uncertain:
        error.submission_uncertain = True
        error.args = (f"{error} {advice}",)
    raise error


@contextmanager
def uncertainly(advice: str) -> Generator[None]:
    """Marks the error of the work."""
    try:
        yield
    except Exception as error:
        raise_uncertain(error, advice)
