"""The hand-written part of the client, without an instance."""

import asyncio
import io
import json
import unittest

import httpx

from carrel_client import AsyncCarrel, Carrel, CarrelError

CHUNK = {"type": "textResponseChunk", "uuid": "1", "textResponse": "48 °C", "close": False}
END = {"type": "finalizeResponseStream", "uuid": "1", "sources": [], "close": True}
ABORT = {"type": "abort", "error": "The model is gone."}


class Fake:
    """Answers every request with one reply and keeps the requests."""

    def __init__(self, reply: httpx.Response) -> None:
        self.reply = reply
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.requests.append(request)
        return self.reply

    def connect(self) -> Carrel:
        http = httpx.Client(transport=httpx.MockTransport(self))
        return Carrel("http://carrel.test/", "key", http=http)


def events(*frames: object) -> httpx.Response:
    text = "".join(f"data: {json.dumps(frame)}\r\n\r\n" for frame in frames)
    return httpx.Response(200, text=text, headers={"content-type": "text/event-stream"})


class ClientTest(unittest.TestCase):
    def test_sends_what_is_given_where_the_api_expects_it(self) -> None:
        fake = Fake(httpx.Response(200, json={"thread": None, "message": None}))
        fake.connect().create_thread("a/b", slug="mine", user_id=None)
        [request] = fake.requests
        self.assertEqual(request.url.raw_path, b"/api/v1/workspace/a%2Fb/thread/new")
        self.assertEqual(request.headers["authorization"], "Bearer key")
        self.assertEqual(json.loads(request.content), {"slug": "mine", "userId": None})

    def test_sends_query_and_headers(self) -> None:
        fake = Fake(httpx.Response(200, json={"history": []}))
        fake.connect().list_chats("leases", limit=2)
        self.assertEqual(fake.requests[0].url.query, b"limit=2")
        fake.connect().create_folder(name="a", idempotency_key="once")
        self.assertEqual(fake.requests[1].headers["idempotency-key"], "once")

    def test_uploads_files_as_multipart(self) -> None:
        fake = Fake(httpx.Response(200, json={"success": True, "documents": []}))
        file = ("a.txt", io.BytesIO(b"text"))
        fake.connect().upload_document(file=file, add_to_workspaces="leases")
        body = fake.requests[0].content
        self.assertIn(b'name="file"; filename="a.txt"', body)
        self.assertIn(b'name="addToWorkspaces"\r\n\r\nleases', body)

    def test_raises_what_a_refusal_says(self) -> None:
        for body, message in (
            ({"error": "No valid api key found."}, "No valid api key found."),
            ({"message": "Workspace not found"}, "Workspace not found"),
            ({"error": {"message": "No such model"}}, "No such model"),
            ({}, "Carrel replied with status 403."),
        ):
            with self.assertRaises(CarrelError) as raised:
                Fake(httpx.Response(403, json=body)).connect().list_workspaces()
            self.assertEqual(str(raised.exception), message)
            self.assertEqual((raised.exception.status, raised.exception.body), (403, body))

    def test_yields_the_frames_of_an_answer(self) -> None:
        fake = Fake(events(CHUNK, END))
        frames = list(fake.connect().stream_chat("leases", message="How warm?"))
        self.assertEqual(frames, [CHUNK, END])
        self.assertEqual(json.loads(fake.requests[0].content), {"message": "How warm?"})

    def test_raises_the_failure_of_an_answer(self) -> None:
        with self.assertRaisesRegex(CarrelError, "The model is gone."):
            list(Fake(events(CHUNK, ABORT)).connect().stream_chat("leases", message="?"))
        with self.assertRaisesRegex(CarrelError, "Unknown workspace"):
            refusal = httpx.Response(400, json={"error": "Unknown workspace"})
            list(Fake(refusal).connect().stream_chat("leases", message="?"))

    def test_does_the_same_with_asyncio(self) -> None:
        async def ask() -> None:
            fake = Fake(events(CHUNK, END))
            http = httpx.AsyncClient(transport=httpx.MockTransport(fake))
            async with AsyncCarrel("http://carrel.test", "key", http=http) as carrel:
                stream = carrel.stream_chat_in_thread("leases", "one", message="?")
                self.assertEqual([frame async for frame in stream], [CHUNK, END])
                fake.reply = httpx.Response(200, json={"workspaces": []})
                self.assertEqual(await carrel.list_workspaces(), {"workspaces": []})

        asyncio.run(ask())


if __name__ == "__main__":
    unittest.main()
