from __future__ import annotations

import json as json_format
from collections.abc import AsyncIterator, Iterator, Mapping
from enum import Enum
from typing import IO, Any, TypeAlias
from urllib.parse import quote

import httpx

from ._errors import CarrelError, to_error


class NotGiven(Enum):
    """Stands for an argument left out, because None is sent as null."""

    NOT_GIVEN = "not given"

    def __repr__(self) -> str:
        return "NOT_GIVEN"


NOT_GIVEN = NotGiven.NOT_GIVEN

#: A file's bytes or an open file, on its own or with its name.
FileContent: TypeAlias = "bytes | IO[bytes] | tuple[str, bytes | IO[bytes]]"


def segment(value: str | int) -> str:
    """A path parameter, in which a slash separates nothing."""
    return quote(str(value), safe="")


def _given(values: Mapping[str, Any] | None) -> dict[str, Any]:
    return {key: value for key, value in (values or {}).items() if value is not NOT_GIVEN}


def _arguments(
    query: Mapping[str, Any] | None,
    headers: Mapping[str, Any] | None,
    json: Any,
    files: Mapping[str, Any] | None,
    form: Mapping[str, Any] | None,
) -> dict[str, Any]:
    arguments: dict[str, Any] = {"params": _given(query), "headers": _given(headers)}
    if isinstance(json, Mapping):
        arguments["json"] = _given(json)
    if files is not None:
        arguments["files"] = _given(files)
        arguments["data"] = _given(form)
    return arguments


def _headers(api_key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {api_key}"}


class _EventReader:
    """Collects the lines of an event stream into the frames in its data."""

    def __init__(self) -> None:
        self._data: list[str] = []

    def read(self, line: str) -> Any | None:
        if line.startswith("data:"):
            self._data.append(line[5:].removeprefix(" "))
        if line or not self._data:
            return None
        frame = json_format.loads("\n".join(self._data))
        self._data = []
        if frame.get("type") == "abort":
            raise CarrelError(frame["error"], None, frame)
        return frame


class Transport:
    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float | httpx.Timeout | None = 120.0,
        http: httpx.Client | None = None,
    ) -> None:
        """``http`` replaces the client that sends the requests, for example to use a proxy."""
        self._base = base_url.rstrip("/")
        self._http = http if http is not None else httpx.Client(timeout=timeout)
        self._headers = _headers(api_key)

    def close(self) -> None:
        self._http.close()

    def _request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, Any] | None = None,
        json: Any = None,
        files: Mapping[str, Any] | None = None,
        form: Mapping[str, Any] | None = None,
    ) -> httpx.Response:
        arguments = _arguments(query, headers, json, files, form)
        arguments["headers"] |= self._headers
        response = self._http.request(method, self._base + path, **arguments)
        if response.is_error:
            raise to_error(response.status_code, response.text)
        return response

    def _request_json(self, *args: Any, **options: Any) -> Any:
        return self._request(*args, **options).json()

    def _request_text(self, *args: Any, **options: Any) -> str:
        return self._request(*args, **options).text

    def _request_bytes(self, *args: Any, **options: Any) -> bytes:
        return self._request(*args, **options).content

    def _stream(self, method: str, path: str, *, json: Any) -> Iterator[Any]:
        arguments = _arguments(None, self._headers, json, None, None)
        with self._http.stream(method, self._base + path, **arguments) as response:
            if response.is_error:
                raise to_error(response.status_code, response.read().decode(errors="replace"))
            reader = _EventReader()
            for line in response.iter_lines():
                frame = reader.read(line.rstrip("\r\n"))
                if frame is not None:
                    yield frame


class AsyncTransport:
    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float | httpx.Timeout | None = 120.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """``http`` replaces the client that sends the requests, for example to use a proxy."""
        self._base = base_url.rstrip("/")
        self._http = http if http is not None else httpx.AsyncClient(timeout=timeout)
        self._headers = _headers(api_key)

    async def close(self) -> None:
        await self._http.aclose()

    async def _request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, Any] | None = None,
        json: Any = None,
        files: Mapping[str, Any] | None = None,
        form: Mapping[str, Any] | None = None,
    ) -> httpx.Response:
        arguments = _arguments(query, headers, json, files, form)
        arguments["headers"] |= self._headers
        response = await self._http.request(method, self._base + path, **arguments)
        if response.is_error:
            raise to_error(response.status_code, response.text)
        return response

    async def _request_json(self, *args: Any, **options: Any) -> Any:
        return (await self._request(*args, **options)).json()

    async def _request_text(self, *args: Any, **options: Any) -> str:
        return (await self._request(*args, **options)).text

    async def _request_bytes(self, *args: Any, **options: Any) -> bytes:
        return (await self._request(*args, **options)).content

    async def _stream(self, method: str, path: str, *, json: Any) -> AsyncIterator[Any]:
        arguments = _arguments(None, self._headers, json, None, None)
        async with self._http.stream(method, self._base + path, **arguments) as response:
            if response.is_error:
                text = (await response.aread()).decode(errors="replace")
                raise to_error(response.status_code, text)
            reader = _EventReader()
            async for line in response.aiter_lines():
                frame = reader.read(line.rstrip("\r\n"))
                if frame is not None:
                    yield frame
