from __future__ import annotations

import json
from typing import Any


class CarrelError(Exception):
    """A request that Carrel refused, or an answer that it couldn't finish.

    ``status`` is the reply's HTTP status, or None if the answer failed after it had started.
    ``body`` is the reply's body: JSON if possible, otherwise text.
    """

    def __init__(self, message: str, status: int | None, body: Any) -> None:
        super().__init__(message)
        self.status = status
        self.body = body


def to_error(status: int, text: str) -> CarrelError:
    """The API reports a failure in ``error`` or ``message``, or as text."""
    try:
        body = json.loads(text)
    except ValueError:
        body = text
    fields = body if isinstance(body, dict) else {}
    error = fields.get("error")
    nested = error.get("message") if isinstance(error, dict) else None  # OpenAI's shape
    for candidate in (nested, error, fields.get("message"), body):
        if isinstance(candidate, str) and candidate:
            return CarrelError(candidate, status, body)
    return CarrelError(f"Carrel replied with status {status}.", status, body)
