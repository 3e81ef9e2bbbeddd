import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answerEverything, fileForm } from "./fixture-answers.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance({ CARREL_MAX_UPLOAD: "2000000" });
  answerEverything(instance);
  expect((await instance.call("POST", "/api/workspace/new", { name: "W" })).status).toBe(200);
}, 120_000);
afterAll(() => instance.stop());

describe("bad input", () => {
  it.each([
    [
      "lists in lists, far too deep",
      "POST",
      "/workspace/new",
      `{"name":${"[".repeat(90_000)}${"]".repeat(90_000)}}`,
      400,
    ],
    [
      "objects in objects, far too deep",
      "POST",
      "/library/search",
      `${'{"filter":'.repeat(90_000)}1${"}".repeat(90_000)}`,
      400,
    ],
    [
      "8 MB of lists in lists",
      "POST",
      "/system/local-files/by-docpaths",
      `{"docpaths":${"[".repeat(4_000_000)}"\\u0000"${"]".repeat(4_000_000)}}`,
      400,
    ],
    [
      "a year that PostgreSQL does not know",
      "POST",
      "/library/search",
      { filter: { addedAfter: "0000-01-01T00:00:00Z" } },
      400,
    ],
    ["a wrong type", "POST", "/workspace/new", { name: 7 }, 400],
    ["an object where a number is due", "POST", "/workspace/w/update", { topN: {} }, 400],
    ["an array as body", "POST", "/workspace/new", [1], 400],
    ["a number as body", "POST", "/workspace/new", "7", 400],
    ["malformed JSON", "POST", "/workspace/new", '{"name":', 400],
    ["malformed JSON on DELETE", "DELETE", "/workspace/w/delete-chats", "{", 400],
    ["a missing field", "POST", "/workspace/w/upload-link", {}, 400],
    ["a missing list", "DELETE", "/workspace/w/delete-chats", {}, 400],
    [
      "a number that no row can have",
      "DELETE",
      "/workspace/w/delete-chats",
      { chatIds: [99_999_999_999] },
      400,
    ],
    ["NUL in a text", "POST", "/workspace/new", { name: "a\u0000b" }, 400],
    ["settings that are no strings", "POST", "/system/update-env", { LLMProvider: 1 }, 400],
    ["settings as a list", "POST", "/system/update-env", ["x"], 400],
    ["a flag that is none", "POST", "/system/update-password", { usePassword: "maybe" }, 400],
    ["no uuid where one is due", "DELETE", "/generation/nonsense", undefined, 400],
    ["a limit out of range", "GET", "/workspace/w/turns?limit=100000", undefined, 400],
    ["a slug with NUL", "GET", "/workspace/a%00b/threads", undefined, 404],
    ["a slug that is too long", "GET", `/workspace/${"a".repeat(300)}/threads`, undefined, 404],
    ["a slug that tries to be a path", "GET", "/workspace/..%2F..%2Fetc/threads", undefined, 404],
    ["an address that cannot be decoded", "GET", "/workspace/%E0%A4%A/threads", undefined, 400],
    [
      "another thread for a question in the default one",
      "POST",
      "/workspace/w/stream-chat",
      { message: "Hello?", threadSlug: "a-thread" },
      404,
    ],
    ["an empty message", "POST", "/workspace/w/stream-chat", { message: "  " }, 400],
    ["a message that isn't text", "POST", "/workspace/w/stream-chat", { message: { a: 1 } }, 400],
    [
      "a message of 300 kB",
      "POST",
      "/workspace/w/stream-chat",
      { message: "x".repeat(300_000) },
      413,
    ],
    ["a body of 2 MB", "POST", "/workspace/new", { name: "x".repeat(2_000_000) }, 413],
    ["JSON where a file is due", "POST", "/workspace/w/upload", { file: "x" }, 400],
    ["a form where JSON is due", "POST", "/workspace/w/upload-link", fileForm(), 400],
  ])("%s: %s %s", async (_what, method, path, body, status) => {
    const answer = await instance.call(method, `/api${path}`, body);
    expect(answer.status).toBe(status);
    expect(answer.text).not.toMatch(/\/work|node_modules|at .*\.ts/);
    if (answer.type?.startsWith("application/json") === true)
      expect(JSON.stringify(answer.json)).toMatch(/"error":"[^"]{3,}/);
  });

  it("answers an empty message with the wire's abort object", async () => {
    for (const body of [{}, { message: "" }, { message: ["x"] }, undefined]) {
      const { status, json } = await instance.call("POST", "/api/workspace/w/stream-chat", body);
      expect(status).toBe(400);
      expect(json).toEqual({
        id: expect.any(String),
        type: "abort",
        textResponse: null,
        sources: [],
        close: true,
        error: "Message is empty.",
      });
    }
  });

  it("refuses a JSON body of 100 MB, declared or not", async () => {
    const started = performance.now();
    const declared = await fetch(`${instance.url}/api/workspace/new`, {
      method: "POST",
      body: Buffer.alloc(100_000_000, 97),
    });
    expect(declared.status).toBe(413);
    expect(await declared.json()).toEqual({ error: "The request is too large." });
    expect(performance.now() - started).toBeLessThan(20_000); // well below the 30 s that a body may take
    const pieces = new ReadableStream({
      start: () => undefined,
      pull(controller) {
        controller.enqueue(Buffer.alloc(1_000_000, " "));
        if ((this as { n?: number }).n === 100) controller.close();
        (this as { n?: number }).n = ((this as { n?: number }).n ?? 0) + 1;
      },
    });
    const undeclared = await fetch(`${instance.url}/api/workspace/new`, {
      method: "POST",
      body: pieces,
      duplex: "half",
    } as RequestInit).then(
      (response) => response.status,
      () => "cut off",
    );
    expect([413, "cut off"]).toContain(undeclared);
    expect((await instance.call("GET", "/api/ping")).status).toBe(200);
  });

  it("answers before a 100 MB body was sent", async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(instance.url).port), "127.0.0.1", () =>
        socket.write(
          "POST /api/workspace/new HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n{",
        ),
      );
      socket
        .once("data", (data) => {
          resolve(String(data));
          socket.destroy();
        })
        .once("error", reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });
});
