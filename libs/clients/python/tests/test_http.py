import unittest
from email.utils import formatdate
from unittest.mock import patch

import httpx

from financial_agents.http import retry_after_s
from tests.fake_api import FakeApi, answered, page, refused


class Http(unittest.TestCase):
    def setUp(self) -> None:
        self.pauses: list[float] = []
        patcher = patch("financial_agents.repeat.time.sleep", self.pauses.append)
        patcher.start()
        self.addCleanup(patcher.stop)

    def test_retry_after_is_seconds_or_a_date(self) -> None:
        now = 1_800_000_000.0

        def wait(text: str) -> float | None:
            return retry_after_s(httpx.Response(503, headers={"retry-after": text}), now)

        self.assertEqual(wait("7"), 7)
        self.assertEqual(wait(formatdate(now + 40, usegmt=True)), 40)
        self.assertEqual(wait(formatdate(now - 40, usegmt=True)), 0)
        for other in ("", "-1", "1.5", "1e3", "soon", "soon GMT", "2027-01-15T08:00:00Z"):
            self.assertIsNone(wait(other))
        for answer in (page(503, {"retry-after": "7"}), refused("rate_limited", 429, retryable=True, retry_after="7")):
            FakeApi(answer, answered({"id": "m"})).agent().mandates.get("m")
            self.assertGreaterEqual(self.pauses.pop(), 7)
