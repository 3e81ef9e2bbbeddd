import { randomUUID } from "node:crypto";
import {
  CarrelError,
  changeWorkspaceDocuments,
  fetchLink,
  registerDocument,
} from "@carrel/contracts";
import type { RequestContext } from "@carrel/messaging";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answerEverything, answerState, documentId, fileForm } from "./fixture-answers.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance({ CARREL_MAX_UPLOAD: "2000000" });
  answerEverything(instance);
  expect((await instance.call("POST", "/api/workspace/new", { name: "W" })).status).toBe(200);
}, 120_000);
afterAll(() => instance.stop());

describe("uploads", () => {
  const broken = (
    body: string,
    type = "multipart/form-data; boundary=x",
  ): Promise<{ status: number; json: unknown; headers: Headers }> =>
    instance.call("POST", "/api/workspace/w/upload", body, { "content-type": type });

  it.each([
    ["without a boundary", "upload.broken", "--x\r\n", "multipart/form-data"],
    [
      "that ends in the middle",
      "upload.broken",
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc',
      "multipart/form-data; boundary=x",
    ],
    [
      "without a file",
      "upload.file-missing",
      '--x\r\nContent-Disposition: form-data; name="other"\r\n\r\nabc\r\n--x--\r\n',
      "multipart/form-data; boundary=x",
    ],
    ["that is empty", "upload.file-missing", "", "multipart/form-data; boundary=x"],
    [
      "of another field",
      "upload.field-unexpected",
      '--x\r\nContent-Disposition: form-data; name="image"; filename="a.txt"\r\n\r\nabc\r\n--x--\r\n',
      "multipart/form-data; boundary=x",
    ],
    [
      "with metadata that isn't JSON",
      "upload.metadata-invalid",
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nabc\r\n--x\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{nope\r\n--x--\r\n',
      "multipart/form-data; boundary=x",
    ],
  ])("a form %s is a clear 400 with the code %s", async (_what, code, body, type) => {
    const { status, json, headers } = await broken(body, type);
    expect(headers.get("carrel-error")).toContain(`{"code":"${code}"`);
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
          error: "The file is too large. The limit is 2 MB.",
          document: null,
        },
      });
    }
    expect(
      instance.ingest.asked.filter((each) => each.operation === registerDocument.name),
    ).toHaveLength(asked);
  });

  it("is 503 while S3 can't be reached, says so, and registers nothing", async () => {
    const unreachable = await startTestInstance({
      S3_BUCKET: "docs",
      S3_ENDPOINT: "http://127.0.0.1:9",
      S3_ACCESS_KEY_ID: "key",
      S3_SECRET_ACCESS_KEY: "secret",
    });
    answerEverything(unreachable);
    await unreachable.call("POST", "/api/workspace/new", { name: "W" });
    for (const path of ["upload", "upload-and-embed"]) {
      const { status, json } = await unreachable.call(
        "POST",
        `/api/workspace/w/${path}`,
        fileForm("a.txt"),
      );
      expect({ status, json }).toEqual({
        status: 503,
        json: expect.objectContaining({
          success: false,
          error: "The file can't be stored now, because S3 isn't available. Try again later.",
        }),
      });
    }
    expect(unreachable.ingest.asked.some((each) => each.operation === registerDocument.name)).toBe(
      false,
    );
    await unreachable.stop();
  });

  it("a path in a file name is treated as a name, and UTF-8 is preserved", async () => {
    for (const [sent, kept] of [
      ["../../../etc/passwd", "passwd"],
      ["C:\\temp\\Ünï – 日本.txt", "Ünï – 日本.txt"],
      ["a<b>|c.txt", "abc.txt"],
    ] as const) {
      expect((await instance.call("POST", "/api/workspace/w/upload", fileForm(sent))).status).toBe(
        200,
      );
      expect(instance.ingest.last(registerDocument)?.input).toMatchObject({
        filename: kept,
        embed: false,
        isUpload: true,
      });
    }
  });

  it("characters that PostgreSQL can't store never reach it, and null counts as missing", async () => {
    const form =
      '--x\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n{"title":"a\\u0000b","docAuthor":"\\ud800","description":null}\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a\0b.txt"\r\nContent-Type: text/pl\0ain\r\n\r\nabc\r\n--x--\r\n';
    expect((await broken(form)).status).toBe(200);
    expect(instance.ingest.last(registerDocument)?.input).toMatchObject({
      filename: "ab.txt",
      mime: "text/plain",
      metadata: { title: "ab", docAuthor: "\ufffd" },
    });
  });

  it("says with status 422 why a file can't be read", async () => {
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
      throw new CarrelError("picture.unsupported");
    });
    expect(
      await instance.call("POST", "/api/workspace/w/upload-and-embed", fileForm("a.exe")),
    ).toMatchObject({
      status: 415,
      json: { success: false, document: null, error: expect.stringContaining("AVIF") },
    });
    instance.ingest.answer(registerDocument, { documentId, title: "a.txt" });
    answerState(instance.ingest, "searchable");
  });

  it("says with status 202 that a file waits for a store", async () => {
    const reason = { code: "document.waits-for-store", params: { store: "Qdrant" } };
    answerState(instance.ingest, "queued", reason);
    const answer = await instance.call("POST", "/api/workspace/w/upload-and-embed", fileForm());
    expect(answer).toMatchObject({
      status: 202,
      json: { success: true, error: null, document: { id: documentId } },
    });
    expect(JSON.parse(answer.headers.get("carrel-error") ?? "null")).toEqual(reason);
    answerState(instance.ingest, "searchable");
  });

  it("names why documents were not embedded as codes, and in the wire's English", async () => {
    instance.ingest.answer(changeWorkspaceDocuments, {
      added: [{ documentId, docpath: "custom-documents/a.json" }],
      errors: [
        { code: "document.not-in-library", params: { docpath: "custom-documents/ü.json" } },
        "Text of an older version.",
      ],
    });
    const reason = { code: "file.password-protected", params: { what: { code: "file-kind.pdf" } } };
    answerState(instance.ingest, "failed", reason);
    const { status, json, headers } = await instance.call(
      "POST",
      "/api/workspace/w/update-embeddings",
      { adds: ["custom-documents/a.json", "custom-documents/ü.json"], deletes: [] },
    );
    expect({ status, json }).toEqual({
      status: 200,
      json: {
        workspace: expect.objectContaining({ slug: "w" }),
        message:
          "3 documents failed to add.\n\ncustom-documents/ü.json isn't in the library.\n\nText of an older version.\n\nThe PDF is password-protected.",
      },
    });
    expect(JSON.parse(headers.get("carrel-error")!)).toEqual({
      code: "document.some-not-added",
      params: {
        count: 3,
        reasons: [
          { code: "document.not-in-library", params: { docpath: "custom-documents/ü.json" } },
          { code: "document.not-added", params: { reason: "Text of an older version." } },
          reason,
        ],
      },
    });
    instance.ingest.answer(changeWorkspaceDocuments, { added: [], errors: [] });
    answerState(instance.ingest, "searchable");
  });

  it("a refused or dead link is reported as such", async () => {
    instance.connectors.answer(fetchLink, () => {
      throw new CarrelError("link.refused", { reason: "This address is private." });
    });
    expect(
      await instance.call("POST", "/api/workspace/w/upload-link", { link: "http://127.0.0.1/" }),
    ).toMatchObject({ status: 400, json: { success: false, error: "This address is private." } });
    instance.connectors.answer(fetchLink, () => {
      throw new CarrelError("link.unreachable", { link: "http://nobody.example" });
    });
    expect(
      await instance.call("POST", "/api/workspace/w/upload-link", {
        link: "http://gone.example/",
      }),
    ).toMatchObject({
      status: 422,
      json: { success: false, error: "No URL content found at http://nobody.example." },
    });
  });
});

describe("a vault", () => {
  const path = "/api/ext/obsidian/vault";
  const note = (name: string, more: object = {}) => ({
    name,
    path: `Vault/${name}`,
    content: "# One",
    ...more,
  });

  it("reports each note on its own, whatever its path", async () => {
    const registered: { filename: string; folder?: string }[] = [];
    instance.ingest.answer(registerDocument, ((input: (typeof registered)[number]) => {
      registered.push(input);
      if (input.filename === "refused.md") throw new CarrelError("document.queue-full");
      return { documentId: randomUUID(), title: input.filename };
    }) as never);
    const files = [
      note("A.md"),
      note("../../etc/passwd", { path: "..\\..\\etc/./passwd\u0007" }),
      note("refused.md"),
      note("empty.md", { content: " \n" }),
      note("large.md", { content: "x".repeat(2_000_001) }),
      note("no content.md", { content: 7 }),
      { name: "B", content: "Text" },
      "C.md",
      note("D.md", { path: "../.." }),
    ];
    const { json } = await instance.call("POST", path, { files });
    const [{ folder } = {}] = registered;
    expect(folder).toMatch(/^obsidian-vault-[0-9a-f]{4}$/);
    expect(json).toEqual({
      success: true,
      reason: null,
      data: {
        processed: 3,
        failed: 5,
        total: 9,
        destination: folder,
        results: [
          { file: "Vault/A.md", status: "success" },
          { file: "etc/passwd", status: "success" },
          { file: "Vault/refused.md", status: "failed", reason: expect.stringMatching(/\.$/) },
          { file: "Vault/empty.md", status: "skipped", reason: "There is nothing in it." },
          { file: "Vault/large.md", status: "failed", reason: "It is larger than 2 MB." },
          ...["files[5]", "files[7]", "files[8]"].map((file) => ({
            file,
            status: "failed",
            reason: `The field ${file} isn't valid.`,
          })),
        ].toSpliced(6, 0, { file: "B", status: "success" }),
      },
    });
    expect(registered.map(({ filename }) => filename).toSorted()).toEqual([
      "A.md",
      "B.md",
      "passwd.md",
      "refused.md",
    ]);
    expect(registered.find(({ filename }) => filename === "B.md")).toMatchObject({
      mime: "text/markdown",
      embed: false,
      isUpload: true,
      metadata: { title: "B", chunkSource: "obsidian://B", docSource: "Obsidian Vault" },
    });
  });

  it("waits until its notes are read, and says which couldn't be", async () => {
    answerState(instance.ingest, "failed", { code: "file.empty" });
    instance.ingest.answer(registerDocument, { documentId, title: "a.md" });
    expect((await instance.call("POST", path, { files: [note("A.md")] })).json).toMatchObject({
      success: true,
      data: { processed: 0, failed: 1, results: [{ file: "Vault/A.md", status: "failed" }] },
    });
    answerState(instance.ingest, "searchable");
  });

  it("registers the same notes when a client repeats a request with its key", async () => {
    const keys: (string | undefined)[] = [];
    instance.ingest.answer(registerDocument, ((_input: unknown, context: RequestContext) => {
      keys.push(context.idempotencyKey);
      return { documentId: randomUUID(), title: "a" };
    }) as never);
    const send = (name: string) =>
      instance.call("POST", path, { files: [note(name)] }, { "idempotency-key": "once" });
    const [{ json: first }, { json: again }] = [await send("A.md"), await send("A.md")];
    expect(again).toEqual(first);
    await send("B.md");
    expect(keys[0]).toEqual(expect.stringContaining("client/once"));
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    instance.ingest.answer(registerDocument, { documentId, title: "a.txt" });
  });
});
