"""The types of the API's requests and responses (`TypedDict`). Members are named as on the wire."""

from .generated.models import *  # noqa: F403
