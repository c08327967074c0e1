"""The client of the Financial Agents API. This module's exports and the types in `financial_agents.models` are public."""

from ._async.client import AsyncFinancialAgents
from ._async.pages import AsyncPages
from ._async.tracked_operation import AsyncTrackedOperation
from ._sync.client import FinancialAgents
from ._sync.pages import Pages
from ._sync.tracked_operation import TrackedOperation
from .auth.device import device
from .auth.profile import Auth
from .auth.service import service
from .client_error import ClientError
from .intent_record import Note
from .outcome import Cancelled, Failed, Indeterminate, NeedsOwner, Outcome, StillRunning, Succeeded
from .owner import OnOwnerNeeded, OwnerNeeded
from .page import Page
from .problem import ApiProblem
from .request_log import RepeatEntry, RequestEntry, ResponseEntry
from .store import AsyncStore, Store
from .stores.file import file_store
from .stores.memory import memory_store
from .verbs.settled import NotSettledError
from .webhooks import Webhook, verify_webhook

__all__ = [
    "ApiProblem",
    "AsyncFinancialAgents",
    "AsyncPages",
    "AsyncStore",
    "AsyncTrackedOperation",
    "Auth",
    "Cancelled",
    "ClientError",
    "Failed",
    "FinancialAgents",
    "Indeterminate",
    "NeedsOwner",
    "NotSettledError",
    "Note",
    "OnOwnerNeeded",
    "Outcome",
    "OwnerNeeded",
    "Page",
    "Pages",
    "RepeatEntry",
    "RequestEntry",
    "ResponseEntry",
    "StillRunning",
    "Store",
    "Succeeded",
    "TrackedOperation",
    "Webhook",
    "device",
    "file_store",
    "memory_store",
    "service",
    "verify_webhook",
]
