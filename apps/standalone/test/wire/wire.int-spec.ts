import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { join } from "node:path";
import { Readable } from "node:stream";
import { deriveKey } from "@carrel/config";
import {
  CarrelError,
  listAcceptedTypes,
  listLibraryFolder,
  endpoints,
  workspaceWire,
} from "@carrel/contracts";
import { createBlobStore, LinkTokens, putContent } from "@carrel/storage";
import { multiRows, singleRows } from "./access-rows.ts";
import { answerChatRows, chatRows } from "./chat-rows.ts";
import { answerEverything, documentId, fileForm } from "./fixture-answers.ts";
import { answerIndexRows, indexRows } from "./index-rows.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";
import { answerRetrievalRows, retrievalRows } from "./retrieval-rows.ts";
import { answerLibraryRows, libraryRows } from "./library-rows.ts";
import { answerMemoryRows, memoryRows } from "./memory-rows.ts";
import { json, row, stream, text, type Row } from "./wire-row.ts";

/** One successful call of every route, as the wire contract has it. `w` exists. */
const rows: Row[] = [
  row("gateway.ping", ["GET", "/ping"], 200, json, { body: { online: true } }),
  row("gateway.setup.get", ["GET", "/setup-complete"], 200, json, { keys: ["results"] }),
  row("auth.mode.get", ["GET", "/system/multi-user-mode"], 200, json, {
    body: { multiUserMode: false },
  }),
  row("gateway.session.check", ["GET", "/system/check-token"], 200, text, { body: "OK" }),
  // No password was ever set: the wire's product answers 500 here.
  row("auth.session.create", ["POST", "/request-token", { password: "whatever" }], 401, json, {
    body: { valid: false, token: null, message: "[003] Invalid password provided" },
  }),
  row(
    "auth.password.update",
    ["POST", "/system/update-password", { usePassword: false }],
    200,
    json,
    { body: { success: true, error: null } },
  ),
  row(
    "workspace.workspace.create",
    ["POST", "/workspace/new", { name: "Another one", onboardingComplete: true }],
    200,
    json,
    { keys: ["workspace", "message"] },
  ),
  row("workspace.workspace.list", ["GET", "/workspaces"], 200, json, { keys: ["workspaces"] }),
  row("gateway.workspace.get", ["GET", "/workspace/w"], 200, json, { keys: ["workspace"] }),
  row(
    "workspace.workspace.update",
    ["POST", "/workspace/w/update", { openAiTemp: "0.3" }],
    200,
    json,
    { keys: ["workspace", "message"] },
  ),
  row("workspace.provider.list", ["GET", "/system/providers"], 200, json, {
    keys: ["providers", "language", "embedding", "vector", "locked"],
  }),
  row(
    "workspace.setting.update",
    ["POST", "/system/update-env", { LLMProvider: "extractive", Unknown: "x" }],
    200,
    json,
    { body: { newValues: { LLMProvider: "extractive" }, error: false } },
  ),
  row(
    "workspace.model.list",
    ["POST", "/system/custom-models", { provider: "nobody" }],
    200,
    json,
    { body: { models: [], error: "Invalid provider for custom models" } },
  ),
  row("chat.thread.list", ["GET", "/workspace/w/threads"], 200, json, {
    keys: ["threads", "defaultThreadChatCount"],
  }),
  row("chat.thread.create", ["POST", "/workspace/w/thread/new"], 200, json, {
    keys: ["thread", "message"],
  }),
  row(
    "chat.thread.update",
    ["POST", "/workspace/w/thread/a-thread/update", { name: "Renamed" }],
    200,
    json,
    { keys: ["thread", "message"] },
  ),
  row("chat.thread.delete", ["DELETE", "/workspace/w/thread/a-thread"], 200, text, { body: "OK" }),
  row(
    "chat.thread.delete-many",
    ["DELETE", "/workspace/w/thread-bulk-delete", { slugs: ["a-thread"] }],
    200,
    text,
    { body: "OK" },
  ),
  row("chat.turn.list", ["GET", "/workspace/w/chats"], 200, json, { keys: ["history"] }),
  row("chat.turn.list-in-thread", ["GET", "/workspace/w/thread/a-thread/chats"], 200, json, {
    keys: ["history"],
  }),
  row("chat.turn.page", ["GET", "/workspace/w/turns?limit=20"], 200, json, {
    keys: ["turns", "hasMore"],
  }),
  row(
    "chat.turn.delete",
    ["DELETE", "/workspace/w/delete-chats", { chatIds: [1, "2"] }],
    200,
    text,
    { body: "OK" },
  ),
  row(
    "gateway.generation.stream",
    ["POST", "/workspace/w/stream-chat", { message: "/reset" }],
    200,
    stream,
  ),
  row(
    "gateway.generation.stream-in-thread",
    ["POST", "/workspace/w/thread/a-thread/stream-chat", { message: "/reset" }],
    200,
    stream,
  ),
  row("gateway.generation.attach", ["GET", `/generation/${documentId}/stream`], 200, stream),
  row("chat.generation.cancel", ["DELETE", `/generation/${documentId}`], 200, json, {
    body: { success: true },
  }),
  row("chat.generation.current", ["GET", "/workspace/w/thread/default/generation"], 200, json, {
    body: { generation: null },
  }),
  row("gateway.document.upload", ["POST", "/workspace/w/upload", fileForm()], 200, json, {
    body: { success: true, error: null },
  }),
  row(
    "gateway.document.upload-and-embed",
    ["POST", "/workspace/w/upload-and-embed", fileForm()],
    200,
    json,
    {
      body: {
        success: true,
        error: null,
        document: { id: documentId, location: "custom-documents/a.json" },
      },
    },
  ),
  row(
    "gateway.document.upload-link",
    ["POST", "/workspace/w/upload-link", { link: "https://example.org/" }],
    200,
    json,
    { body: { success: true, error: null } },
  ),
  row(
    "gateway.document.update-embeddings",
    ["POST", "/workspace/w/update-embeddings", { adds: ["custom-documents/a.json"], deletes: [] }],
    200,
    json,
    { keys: ["workspace", "message"] },
  ),
  row(
    "ingest.document.remove",
    ["DELETE", "/workspace/w/remove-and-unembed", { documentLocation: "custom-documents/a.json" }],
    200,
    null,
    { body: "" },
  ),
  row("ingest.processor.status", ["GET", "/system/document-processing-status"], 200, text, {
    body: "OK",
  }),
  row("ingest.processor.types", ["GET", "/system/accepted-document-types"], 200, json, {
    keys: ["types"],
  }),
  row("ingest.workspace-document.page", ["GET", "/workspace/w/documents"], 200, json, {
    keys: ["documents", "total", "passages"],
  }),
  row("ingest.document.retry", ["POST", `/workspace/w/documents/${documentId}/retry`], 200, json, {
    body: { success: true },
  }),
  row(
    "ingest.workspace-document.remove",
    ["DELETE", `/workspace/w/documents/${documentId}`],
    200,
    json,
    { body: { success: true } },
  ),
  row(
    "ingest.document.text",
    ["GET", `/workspace/w/documents/${documentId}/text?start=0&end=4`],
    200,
    json,
    {
      keys: [
        "title",
        "mime",
        "text",
        "start",
        "end",
        "length",
        "pages",
        "page",
        "headingPath",
        "rectangles",
        "originalUrl",
        "lines",
      ],
    },
  ),
  row("ingest.workspace-document.counts", ["GET", "/workspaces/document-counts"], 200, json, {
    body: { counts: [] },
  }),
  ...chatRows,
  ...libraryRows,
  ...indexRows,
  ...retrievalRows,
  ...memoryRows,
  row("gateway.metrics.get", ["GET", "/metrics"], 200, text),
  row("workspace.workspace.delete", ["DELETE", "/workspace/to-delete"], 200, text, { body: "OK" }),
];

/** Streams that go on for as long as someone looks, and the file, have tests of their own below. */
const apart = ["gateway.changes.watch", "gateway.document.progress", "gateway.document.original"];
/** Access has rows of its own, in access-wire.int-spec.ts. */
const elsewhere = [...singleRows, ...multiRows].map((each) => each.operation);

let instance: TestInstance;
beforeAll(async () => {
  instance = await startTestInstance();
  answerEverything(instance);
  answerChatRows(instance);
  answerLibraryRows(instance);
  answerIndexRows(instance);
  answerMemoryRows(instance);
  answerRetrievalRows(instance);
  for (const name of ["W", "To delete"])
    expect((await instance.call("POST", "/api/workspace/new", { name })).status).toBe(200);
}, 120_000);
afterAll(() => instance.stop());

describe("the wire", () => {
  it("has a row for every route", () => {
    expect(
      [...new Set([...rows.map((each) => each.operation), ...apart, ...elsewhere])].toSorted(),
    ).toEqual(endpoints.map((endpoint) => endpoint.name).toSorted());
  });

  it.each(rows.map((each) => [each.call[0], each.call[1].split("?")[0]!, each] as const))(
    "%s %s",
    async (
      _method,
      _path,
      { operation, call: [method, path, body], status, type, keys, body: wanted },
    ) => {
      const answer = await instance.call(method, `/api${path}`, body);
      expect({ status: answer.status, type: answer.type }).toEqual({ status, type });
      if (keys !== undefined)
        expect(Object.keys(answer.json as object).toSorted()).toEqual(keys.toSorted());
      if (wanted !== undefined) expect(type === json ? answer.json : answer.text).toEqual(wanted);
      const { output, success } = endpoints.find((each) => each.name === operation)!;
      if (success.kind === "json" && status === success.status) output.parse(answer.json);
    },
  );

  it("shows a workspace with exactly the fields of the wire", async () => {
    const { workspaces } = (await instance.call("GET", "/api/workspaces")).json as {
      workspaces: object[];
    };
    expect(Object.keys(workspaces[0]!).toSorted()).toEqual(
      Object.keys(workspaceWire.shape).toSorted(),
    );
    const { workspace } = (await instance.call("GET", "/api/workspace/w")).json as {
      workspace: object;
    };
    expect(Object.keys(workspace).toSorted()).toEqual(
      [
        ...Object.keys(workspaceWire.shape),
        "documents",
        "contextWindow",
        "currentContextTokenCount",
      ].toSorted(),
    );
  });

  it.each([
    ["GET", "/workspace/nobody", undefined, 200, json, { workspace: null }],
    ["DELETE", "/workspace/nobody", undefined, 400, text, "Bad Request"],
    ["POST", "/workspace/nobody/update", { name: "x" }, 400, text, "Bad Request"],
    ["GET", "/workspace/nobody/chats", undefined, 400, text, "Bad Request"],
    ["GET", "/workspace/nobody/threads", undefined, 404, text, "Workspace does not exist."],
    ["POST", "/workspace/nobody/upload", fileForm(), 404, text, "Workspace does not exist."],
    ["POST", "/workspace/nobody/upload-and-embed", fileForm(), 400, text, "Bad Request"],
    [
      "POST",
      "/workspace/nobody/update-watch-status",
      { docPath: "a", watchStatus: true },
      404,
      text,
      "Workspace does not exist.",
    ],
    [
      "POST",
      "/workspace/w/upload-link",
      {},
      400,
      json,
      { success: false, error: "The field link is missing." },
    ],
    [
      "GET",
      "/system/local-files?folder=custom-documents&limit=0",
      undefined,
      400,
      json,
      {
        folder: "",
        documents: [],
        totalCount: 0,
        hasMore: false,
        code: 400,
        error: "The field limit is too small: at least 1.",
      },
    ],
    [
      "POST",
      "/workspace/nobody/stream-chat",
      { message: "hi" },
      404,
      text,
      "Workspace does not exist.",
    ],
    [
      "POST",
      "/workspace/w/update",
      { vectorTag: "x" },
      200,
      json,
      { workspace: { id: 1 }, message: "No valid fields to update!" },
    ],
    ["POST", "/workspace/new", {}, 200, json, { workspace: null, message: "name cannot be null" }],
    [
      "POST",
      "/workspace/new",
      undefined,
      200,
      json,
      { workspace: null, message: "name cannot be null" },
    ],
    [
      "POST",
      "/workspace/new",
      { name: "  " },
      200,
      json,
      { workspace: null, message: "name cannot be null" },
    ],
    [
      "GET",
      "/no-such-route",
      undefined,
      404,
      json,
      { error: "There is no such address in this API." },
    ],
    ["PUT", "/workspaces", undefined, 405, json, { error: "This address takes GET only." }],
  ])(
    "%s %s with %j is a refusal in the wire's words",
    async (method, path, body, status, type, wanted) => {
      const answer = await instance.call(method, `/api${path}`, body);
      expect({
        status: answer.status,
        type: answer.type,
        body: type === json ? answer.json : answer.text,
      }).toEqual({ status, type, body: wanted });
    },
  );

  it("says what can be read, or that nobody can say", async () => {
    for (const code of ["UNAVAILABLE", "TIMEOUT", "SERVICE_LOST"] as const) {
      instance.ingest.answer(listAcceptedTypes, () => {
        throw new CarrelError(code, "Not now.");
      });
      expect(await instance.call("GET", "/api/system/accepted-document-types")).toMatchObject({
        status: 404,
        type: text,
        text: "Not Found",
      });
    }
    instance.ingest.answer(listAcceptedTypes, { types: {} });
  });

  it("gives no more of a folder at once than the wire does, whatever is asked for", async () => {
    expect(
      (await instance.call("GET", "/api/system/local-files?folder=custom-documents&limit=5000"))
        .status,
    ).toBe(200);
    expect(instance.ingest.last(listLibraryFolder)?.input).toMatchObject({
      folder: "custom-documents",
      offset: 0,
      limit: 1_000,
    });
    // An empty name is no name.
    expect(
      Object.keys((await instance.call("GET", "/api/system/local-files?folder=")).json as object),
    ).toEqual(["localFiles"]);
  });

  it("takes a JSON body without a content type, as text and on DELETE, and an empty one", async () => {
    for (const headers of [
      {},
      { "content-type": "text/plain" },
      { "content-type": "application/x-whatever" },
      { "content-type": "nonsense" },
      { "content-type": "application/json" },
    ]) {
      const answer = await instance.call(
        "POST",
        "/api/workspace/w/update",
        '{"topN":"6"}',
        headers as Record<string, string>,
      );
      expect(answer.json).toMatchObject({ workspace: { topN: 6 } });
    }
    await instance.call("DELETE", "/api/workspace/w/delete-chats", '{"chatIds":[5]}', {
      "content-type": "text/plain",
    });
    expect(instance.chat.asked.at(-1)?.input).toEqual({ slug: "w", chatIds: [5] });
    expect(
      (
        await instance.call("POST", "/api/workspace/w/thread/new", "", {
          "content-type": "application/json",
        })
      ).status,
    ).toBe(200);
  });

  it("coerces fields as the wire does and changes nothing that is absent", async () => {
    const sent = {
      openAiTemp: "",
      openAiHistory: "-4",
      similarityThreshold: 7,
      topN: "x",
      chatMode: "automatic",
      chatProvider: "none",
      name: null,
    };
    const { workspace } = (await instance.call("POST", "/api/workspace/w/update", sent)).json as {
      workspace: object;
    };
    expect(workspace).toMatchObject({
      openAiTemp: null,
      openAiHistory: 0,
      similarityThreshold: 1,
      topN: 4,
      chatMode: "chat",
      chatProvider: null,
      name: "My Workspace",
      slug: "w",
      openAiPrompt: null,
    });
    expect(
      (await instance.call("POST", "/api/workspace/w/update", { chatMode: "query" })).json,
    ).toMatchObject({ workspace: { chatMode: "query", similarityThreshold: 1 } });
  });

  it("gives the original behind a signed address, and ranges of it, never as a page", async () => {
    const blobs = createBlobStore({
      kind: "disk",
      root: join(instance.config.CARREL_HOME, "blobs"),
    });
    const { key } = await putContent(
      blobs,
      Readable.from([Buffer.from("<script>alert(1)</script>")]),
      1_000,
    );
    const link = { key, filename: "Grüße (1).html", mime: "text/html", userId: null };
    const links = new LinkTokens(deriveKey(instance.shared.secret, "links"));
    const whole = await instance.call("GET", `/api/blob/${links.sign(link)}`);
    expect(whole).toMatchObject({
      status: 200,
      type: "application/octet-stream",
      text: "<script>alert(1)</script>",
    });
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      "content-disposition": `attachment; filename*=UTF-8''Gr%C3%BC%C3%9Fe%20%281%29.html`,
      "x-content-type-options": "nosniff",
      "content-security-policy": `sandbox; default-src 'none'`,
    });
    const part = await instance.call(
      "GET",
      `/api/blob/${links.sign({ ...link, mime: "application/pdf" })}`,
      undefined,
      { range: "bytes=1-6" },
    );
    expect(part).toMatchObject({ status: 206, type: "application/pdf", text: "script" });
    expect(part.headers.get("content-range")).toBe("bytes 1-6/25");
    expect(
      (
        await instance.call("GET", `/api/blob/${links.sign(link)}`, undefined, {
          range: "bytes=99-",
        })
      ).status,
    ).toBe(416);
    for (const token of [
      "nonsense",
      links.sign(link, 1_000),
      new LinkTokens(Buffer.alloc(32)).sign(link),
      links.sign({ ...link, key: "original/missing" }),
    ]) {
      expect((await instance.call("GET", `/api/blob/${token}`)).status).toBe(404);
    }
  });

  it("serves the API's documentation from this instance alone", async () => {
    const page = await instance.call("GET", "/api/docs");
    expect(page).toMatchObject({ status: 200, type: "text/html; charset=utf-8" });
    expect(page.headers.get("content-security-policy")).toContain(`script-src 'self'`);
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    for (const address of [...addresses, "/api/docs/openapi.json"]) {
      expect(address).toMatch(/^\/api\/docs\//);
      expect((await instance.call("GET", address)).status).toBe(200);
    }
    expect((await instance.call("GET", "/api/docs/assets/package.json")).status).toBe(404);
  });

  it("is alive and ready", async () => {
    expect((await instance.call("GET", "/livez")).status).toBe(200);
    expect((await instance.call("GET", "/readyz")).status).toBe(200);
    expect((await instance.call("GET", "/robots.txt")).text).toBe("User-agent: *\nDisallow: /\n");
  });
});
