import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { CarrelError, fetchLink, registerDocument } from "@carrel/contracts";
import { answerEverything, answerState, documentId, fileForm } from "./fixture-answers.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance({ CARREL_MAX_UPLOAD: "2000000" });
  answerEverything(instance);
  expect((await instance.call("POST", "/api/workspace/new", { name: "W" })).status).toBe(200);
}, 120_000);
afterAll(() => instance.stop());

/** With headers that fetch would not let through. */
function raw(
  path: string,
  headers: Record<string, string>,
  method = "GET",
  body?: string,
): Promise<{ status: number; text: string; headers: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      `${instance.url}${path}`,
      { method, headers, agent: false },
      (response) => {
        let text = "";
        response
          .setEncoding("utf8")
          .on("data", (piece: string) => {
            text += piece;
          })
          .on("end", () =>
            resolve({ status: response.statusCode!, text, headers: response.headers }),
          );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

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
    ["an empty message", "POST", "/workspace/w/stream-chat", { message: "  " }, 400],
    ["a message that is no text", "POST", "/workspace/w/stream-chat", { message: { a: 1 } }, 400],
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

  it("answers an empty message with the abort object of the wire", async () => {
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
    expect(performance.now() - started).toBeLessThan(20_000); // not the 30 s that a body may take
    const pieces = new ReadableStream({
      start: () => undefined,
      pull(controller) {
        controller.enqueue(Buffer.alloc(1_000_000, 97));
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

  describe("uploads", () => {
    const broken = (
      body: string,
      type = "multipart/form-data; boundary=x",
    ): Promise<{ status: number; json: unknown }> =>
      instance.call("POST", "/api/workspace/w/upload", body, { "content-type": type });

    it.each([
      ["without a boundary", "--x\r\n", "multipart/form-data"],
      [
        "that ends in the middle",
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
        "multipart/form-data; boundary=x",
      ],
      [
        "without a file",
        '--x\r\nContent-Disposition: form-data; name="other"\r\n\r\nabc\r\n--x--\r\n',
        "multipart/form-data; boundary=x",
      ],
      ["that is empty", "", "multipart/form-data; boundary=x"],
      [
        "of another field",
        '--x\r\nContent-Disposition: form-data; name="image"; filename="a.txt"\r\n\r\nabc\r\n--x--\r\n',
        "multipart/form-data; boundary=x",
      ],
      [
        "with metadata that is no JSON",
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc\r\n--x\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{nope\r\n--x--\r\n',
        "multipart/form-data; boundary=x",
      ],
    ])("a form %s is a clear 400", async (_what, body, type) => {
      const { status, json } = await broken(body, type);
      expect({ status, json }).toEqual({
        status: 400,
        json: { success: false, error: expect.stringMatching(/^Invalid file upload\. \S/) },
      });
    });

    it("a file above the limit is 413, and nothing is registered", async () => {
      const asked = instance.ingest.asked.filter(
        (each) => each.operation === registerDocument.name,
      ).length;
      for (const bytes of [2_000_001, 5_000_000]) {
        const { status, json } = await instance.call(
          "POST",
          "/api/workspace/w/upload-and-embed",
          fileForm("big.txt", "x".repeat(bytes)),
        );
        expect({ status, json }).toEqual({
          status: 413,
          json: {
            success: false,
            error: "The file is too large: at most 2 MB are allowed.",
            document: null,
          },
        });
      }
      expect(
        instance.ingest.asked.filter((each) => each.operation === registerDocument.name),
      ).toHaveLength(asked);
    });

    it("a path in a file name is only a name, and UTF-8 survives", async () => {
      for (const [sent, kept] of [
        ["../../../etc/passwd", "passwd"],
        ["C:\\temp\\Ünï – 日本.txt", "Ünï – 日本.txt"],
        ["a<b>|c.txt", "abc.txt"],
      ] as const) {
        expect(
          (await instance.call("POST", "/api/workspace/w/upload", fileForm(sent))).status,
        ).toBe(200);
        expect(instance.ingest.last(registerDocument)?.input).toMatchObject({
          filename: kept,
          embed: false,
        });
      }
    });

    it("what PostgreSQL cannot hold never reaches it, and null is nothing", async () => {
      const form =
        '--x\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"title":"a\\u0000b","docAuthor":"\\ud800","description":null}\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a\0b.txt"\r\nContent-Type: text/pl\0ain\r\n\r\nabc\r\n--x--\r\n';
      expect((await broken(form)).status).toBe(200);
      expect(instance.ingest.last(registerDocument)?.input).toMatchObject({
        filename: "ab.txt",
        mime: "text/plain",
        metadata: { title: "ab", docAuthor: "\ufffd" },
      });
    });

    it("a file that cannot be read says why, with a status of its own", async () => {
      answerState(instance.ingest, "failed", "No text content found in a.txt.");
      expect(
        await instance.call("POST", "/api/workspace/w/upload-and-embed", fileForm()),
      ).toMatchObject({
        status: 422,
        json: { success: false, error: "No text content found in a.txt.", document: null },
      });
      expect(await instance.call("POST", "/api/workspace/w/upload", fileForm())).toMatchObject({
        status: 422,
        json: { success: false, error: "No text content found in a.txt." },
      });
      answerState(instance.ingest, "failed", "The index could not be written.", "parsed");
      expect(
        await instance.call("POST", "/api/workspace/w/upload-and-embed", fileForm()),
      ).toMatchObject({
        status: 200,
        json: { success: false, error: "The index could not be written.", document: null },
      });
      instance.ingest.answer(registerDocument, () => {
        throw new CarrelError(
          "UNSUPPORTED",
          "File extension .exe not supported for parsing and cannot be assumed as text file type.",
        );
      });
      expect(
        await instance.call("POST", "/api/workspace/w/upload-and-embed", fileForm("a.exe")),
      ).toMatchObject({
        status: 415,
        json: { success: false, document: null, error: expect.stringContaining(".exe") },
      });
      instance.ingest.answer(registerDocument, { documentId, title: "a.txt" });
      answerState(instance.ingest, "searchable");
    });

    it("a link that is refused or dead says so", async () => {
      instance.connectors.answer(fetchLink, () => {
        throw new CarrelError("LINK_REFUSED", "This address is private.");
      });
      expect(
        await instance.call("POST", "/api/workspace/w/upload-link", { link: "http://127.0.0.1/" }),
      ).toMatchObject({ status: 400, json: { success: false, error: "This address is private." } });
      instance.connectors.answer(fetchLink, () => {
        throw new CarrelError("LINK_UNREACHABLE", "Nobody answers there.");
      });
      expect(
        await instance.call("POST", "/api/workspace/w/upload-link", {
          link: "http://gone.example/",
        }),
      ).toMatchObject({ status: 422, json: { success: false, error: "Nobody answers there." } });
    });
  });

  describe("origins and hosts while there is no password", () => {
    it.each([
      ["a foreign Origin", { origin: "https://evil.example" }, 403],
      [
        "a foreign Origin with a token, which proves nothing here",
        { origin: "https://evil.example", authorization: "Bearer whatever" },
        403,
      ],
      ["a page elsewhere", { "sec-fetch-site": "cross-site" }, 403],
      ["another port of this machine", { "sec-fetch-site": "same-site" }, 403],
      ["a sandboxed page", { origin: "null" }, 403],
      ["a foreign Host", { host: "evil.example" }, 403],
      ["our own page", { origin: "OWN", "sec-fetch-site": "same-origin" }, 200],
      ["localhost", { host: "localhost:3001" }, 200],
      ["a token that is the word null", { authorization: "Bearer null" }, 200],
    ])("%s", async (_what, headers, status) => {
      const sent = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          value === "OWN" ? instance.url : value,
        ]),
      );
      const answer = await raw("/api/workspaces", sent as Record<string, string>);
      expect(answer.status).toBe(status);
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
    });

    it("answers no preflight, and lets nobody frame or rebind the page", async () => {
      const preflight = await raw(
        "/api/workspaces",
        { origin: "https://evil.example", "access-control-request-method": "POST" },
        "OPTIONS",
      );
      expect(preflight.status).toBe(403);
      expect((await raw("/", { host: "evil.example" })).status).toBe(403);
      expect(
        (await raw("/", { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" })).headers[
          "x-frame-options"
        ],
      ).toBe("DENY");
    });
  });
});
