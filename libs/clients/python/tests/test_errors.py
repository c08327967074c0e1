import pickle
import unittest
from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

import httpx

from financial_agents import ApiProblem, ClientError, Failed, NotSettledError
from tests.fake_api import FakeApi, answered, lost, operation, refused

BODY: Any = {"amount": "9.90", "currency": "EUR"}


def pickled(error: Any) -> Any:
    return pickle.loads(pickle.dumps(error))


def raised(api: FakeApi) -> Exception:
    try:
        api.agent(retry_for=0).mandates.pay("m-1", BODY, intent="rent").wait(1)
    except (ApiProblem, ClientError) as error:
        return error
    raise AssertionError("nothing was raised")


class Errors(unittest.TestCase):
    ways: tuple[Callable[[Any], Any], ...] = (pickled, copy, deepcopy)

    def test_every_error_survives_pickle_copy_and_deepcopy(self) -> None:
        failed: Any = operation(state="failed", failure_code="provider_refused")
        errors = [
            raised(FakeApi(refused("validation_failed", 422))),
            raised(FakeApi(lost())),
            raised(FakeApi(answered(operation(), 202), refused("insufficient_scope", 403))),
            NotSettledError("The payee", Failed(failed, "provider_refused", None)),
            ClientError("invalid_use", "no", submission_uncertain=True),
        ]
        errors[-1].add_note("seen by the worker")
        for error in errors:
            for way in self.ways:
                with self.subTest(error=repr(error), way=way.__name__):
                    kept = way(error)
                    self.assertEqual(repr(kept), repr(error))
                    self.assertEqual(str(kept), str(error))
                    members = {name: value for name, value in vars(error).items() if name != "response"}
                    self.assertEqual({name: vars(kept)[name] for name in members}, members)

    def test_the_cause_of_a_wait_and_the_response_of_a_problem_are_kept_without_the_token(self) -> None:
        error = raised(FakeApi(answered(operation(), 202), refused("insufficient_scope", 403)))
        kept = pickled(error)
        self.assertEqual((kept.code, kept.__cause__.code), ("wait_failed", "insufficient_scope"))
        response: httpx.Response = kept.__cause__.response
        self.assertEqual((response.status_code, response.json()["code"]), (403, "insufficient_scope"))
        self.assertNotIn(b"token-1", pickle.dumps(error))
