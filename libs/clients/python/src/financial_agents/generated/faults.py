# Written by `pnpm gen` from libs/clients/typescript/src/testing/faults.ts; change it there.
"""The faults of the fake API, by name."""

from typing import Literal

NetworkFault = Literal["request_lost", "answer_lost", "answer_cut", "no_connection", "no_answer", "portal", "access_ended"]
ProviderFault = Literal["refuse", "fail", "accept_drop_reply", "drop_before_accept", "settle_later"]

network_faults: dict[NetworkFault, tuple[bool, str]] = {
    "request_lost": (False, "lost"),
    "answer_lost": (True, "lost"),
    "answer_cut": (True, "cut"),
    "no_connection": (False, "unsent"),
    "no_answer": (False, "late"),
    "portal": (False, "page"),
    "access_ended": (False, "ended"),
}
"""True if the API has received the request, and the answer."""
provider_faults: dict[ProviderFault, tuple[str, str | None, str]] = {
    "refuse": ("failed", "provider_refused", "failed"),
    "fail": ("submitted", "provider_settlement_failed", "failed"),
    "accept_drop_reply": ("indeterminate", "provider_connection_lost", "succeeded"),
    "drop_before_accept": ("indeterminate", "provider_connection_lost", "failed"),
    "settle_later": ("submitted", None, "succeeded"),
}
"""The state of the operation, its failure code, and the state to which it moves."""
