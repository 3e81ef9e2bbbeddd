"""Client for the developer API of Carrel, the self-hosted AI chat and document workspace."""

from __future__ import annotations

from typing import Any

from ._errors import CarrelError
from ._methods import AsyncMethods, Methods

__all__ = ["AsyncCarrel", "Carrel", "CarrelError"]


class Carrel(Methods):
    """The developer API of one Carrel instance. Failures are raised as ``CarrelError``."""

    def __enter__(self) -> Carrel:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


class AsyncCarrel(AsyncMethods):
    """``Carrel`` for programs that use asyncio."""

    async def __aenter__(self) -> AsyncCarrel:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()
