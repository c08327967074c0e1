"""The API's refusals (contract, "Errors"): one class, told apart by `code`."""

from typing import Any

import httpx

from .generated.models import ProblemField
from .picklable import Picklable


class ApiProblem(Picklable):
    """A refusal of the API, named by `code`. New codes may come, so a `match` needs a default.

    `submission_uncertain` true means that a write may have been accepted: repeat it with the same intent, never with a new one.
    """

    def __init__(self, response: httpx.Response, own: dict[str, Any] | None) -> None:
        """`own`: the API's problem details, if the answer is the API's own."""
        self.from_api = own is not None
        """False if something between the client and the API answered."""
        members = own or {}
        self.code: str = members.get("code", f"http_{response.status_code}")
        """The stable code, or `http_<status>` if something between the client and the API answered."""
        self.status = response.status_code
        self.title: str = members.get("title", "")
        """The class of problem in a few words."""
        self.detail: str = members.get(
            "detail", f"HTTP {self.status}: this is not an answer of the API, but of something in between."
        )
        """The error of this request, in words for people."""
        self.fields: list[ProblemField] = members.get("fields") or []
        """The refused members with what to send instead; empty if the problem is not about members."""
        self.request_id: str | None = members.get("request_id") or response.headers.get("x-request-id")
        """`X-Request-Id`: name it to support."""
        self.retryable: bool = members.get("retryable", False)
        """True if repeating the identical request can safely succeed. The client has repeated it already."""
        self.submission_uncertain: bool = members.get("submission_uncertain", False)
        """True if a write may have landed."""
        self.refresh_onboarding: bool = members.get("refresh_onboarding", False)
        """True if the failure says that the owner's onboarding changed: read `agent.onboarding.get()`."""
        self.response = response
        """The raw response."""
        more = [f"{field['path']}: {field['message']}" for field in self.fields if field["message"] not in self.detail]
        super().__init__(" ".join([f"{self.code}: {self.detail}", *more]))

    def _state(self) -> dict[str, Any]:
        # The request belongs to the response, and has the token in its headers.
        answer = self.response
        headers = {name: value for name, value in answer.headers.items() if name != "content-encoding"}
        return {**self.__dict__, "response": httpx.Response(self.status, headers=headers, content=answer.content)}
