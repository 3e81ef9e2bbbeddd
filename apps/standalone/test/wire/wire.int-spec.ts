import { createHmac } from "node:crypto";
import {
  CarrelError,
  listAcceptedTypes,
  listLibraryFolder,
  endpoints,
  workspaceWire,
} from "@carrel/contracts";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { multiRows } from "./access-rows.ts";
import { answerAgentRows } from "./agent-rows.ts";
import { answerChatRows } from "./chat-answers.ts";
import { answerConnectionRows } from "./connection-rows.ts";
import { answerCredentialRows } from "./credential-rows.ts";
import { answerEverything, fileForm } from "./fixture-answers.ts";
import { answerFlowRows } from "./flow-rows.ts";
import { answerFlowRunRows } from "./flow-run-rows.ts";
import { answerHubRows } from "./hub-rows.ts";
import { answerIndexRows } from "./index-rows.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";
import { answerLibraryRows } from "./library-answers.ts";
import { answerLocalModels } from "./local-model-rows.ts";
import { answerMcpRows } from "./mcp-rows.ts";
import { answerMemoryRows } from "./memory-rows.ts";
import { answerPluginRows } from "./plugin-rows.ts";
import { answerRecordRows } from "./record-rows.ts";
import { answerRepositoryRows } from "./repository-rows.ts";
import { answerRetrievalRows } from "./retrieval-rows.ts";
import { answerScheduleRows } from "./schedule-rows.ts";
import { answerShareRows } from "./share-rows.ts";
import { singleRows } from "./single-user-rows.ts";
import { answerSyncRows } from "./sync-rows.ts";
import { answerUsageRows } from "./usage-rows.ts";
import { answerVersionRows } from "./version-rows.ts";
import { json, text } from "./wire-row.ts";
import { rows } from "./wire-rows.ts";

/** Endless streams and the file download are tested separately below. */
const apart = [
  "gateway.changes.watch",
  "gateway.document.progress",
  "gateway.connection.progress",
  "gateway.document.original",
  "gateway.document.page",
];

/** Access routes have separate rows, in access-wire.int-spec.ts. */
const elsewhere = [...singleRows, ...multiRows].map((each) => each.operation);

let instance: TestInstance;

beforeAll(async () => {
  instance = await startTestInstance();
  answerEverything(instance);
  answerChatRows(instance);
  answerAgentRows(instance);
  answerLibraryRows(instance);
  answerConnectionRows(instance);
  answerRepositoryRows(instance);
  answerIndexRows(instance);
  answerMemoryRows(instance);
  answerShareRows(instance);
  answerSyncRows(instance);
  answerCredentialRows(instance);
  answerFlowRows(instance);
  answerHubRows(instance);
  answerFlowRunRows(instance);
  answerScheduleRows(instance);
  answerPluginRows(instance);
  answerMcpRows(instance);
  answerUsageRows(instance);
  answerLocalModels(instance);
  answerVersionRows(instance);
  answerRecordRows(instance);
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
      const endpoint = endpoints.find((each) => each.name === operation)!;
      // A page of our own, where another site's could send the same request.
      const headers: Record<string, string> = {
        ...(endpoint.changesState === true && { "sec-fetch-site": "same-origin" }),
        ...(endpoint.needsJsonType && { "content-type": "application/json" }),
      };
      const answer = await instance.call(method, `/api${path}`, body, headers);
      expect({ status: answer.status, type: answer.type }).toEqual({ status, type });
      if (keys !== undefined)
        expect(Object.keys(answer.json as object).toSorted()).toEqual(keys.toSorted());
      if (wanted !== undefined) expect(type === json ? answer.json : answer.text).toEqual(wanted);
      const { output, success } = endpoint;
      // An empty body has nothing to parse.
      if (success.kind === "json" && status === success.status && type !== null)
        output.parse(answer.json);
    },
  );

  it("reads no flow that isn't declared as JSON", async () => {
    const body = { name: "A", config: { steps: [] } };
    expect(await instance.call("POST", "/api/agent-flows/save", body)).toMatchObject({
      status: 400,
      json: { success: false, error: "Name and config are required" },
    });
  });

  it("returns a workspace with exactly the wire's fields", async () => {
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
    ["GET", "/no-such-route", undefined, 404, json, { error: "This API has no such endpoint." }],
    ["PUT", "/workspaces", undefined, 405, json, { error: "This endpoint supports only GET." }],
  ])(
    "%s %s with %j is a refusal with the wire's text",
    async (method, path, body, status, type, wanted) => {
      const answer = await instance.call(method, `/api${path}`, body);
      expect({
        status: answer.status,
        type: answer.type,
        body: type === json ? answer.json : answer.text,
      }).toEqual({ status, type, body: wanted });
    },
  );

  it("reports which types can be parsed, or that this is unknown", async () => {
    for (const code of ["request.stopping", "request.timed-out", "request.service-lost"] as const) {
      instance.ingest.answer(listAcceptedTypes, () => {
        throw new CarrelError(code);
      });
      expect(await instance.call("GET", "/api/system/accepted-document-types")).toMatchObject({
        status: 404,
        type: text,
        text: "Not Found",
      });
    }
    instance.ingest.answer(listAcceptedTypes, { types: {} });
  });

  it("limits a folder page to the wire's maximum, whatever is requested", async () => {
    expect(
      (await instance.call("GET", "/api/system/local-files?folder=custom-documents&limit=5000"))
        .status,
    ).toBe(200);
    expect(instance.ingest.last(listLibraryFolder)?.input).toMatchObject({
      folder: "custom-documents",
      offset: 0,
      limit: 1_000,
    });
    // An empty name counts as missing.
    expect(
      Object.keys((await instance.call("GET", "/api/system/local-files?folder=")).json as object),
    ).toEqual(["localFiles"]);
  });

  it("accepts a JSON body without a content type, as text and on DELETE, and an empty one", async () => {
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

  it("coerces fields as the wire does and leaves absent ones unchanged", async () => {
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
      chatMode: "automatic",
      chatProvider: null,
      name: "My Workspace",
      slug: "w",
      openAiPrompt: null,
    });
    expect(
      (await instance.call("POST", "/api/workspace/w/update", { chatMode: "query" })).json,
    ).toMatchObject({ workspace: { chatMode: "query", similarityThreshold: 1 } });
  });

  it("accepts webhooks of up to 25 MB that are signed as they were sent", async () => {
    const path = "/api/hooks/0b7d2c7e-3c52-4b6a-9a53-000000000011";
    const sign = (body: string) => ({
      "x-hub-signature-256": `sha256=${createHmac("sha256", "s").update(body).digest("hex")}`,
      "content-type": "text/plain",
    });
    for (const body of ['{ "a":1 }', "x".repeat(25_000_000)]) {
      const reply = await instance.call("POST", path, body, sign(body));
      expect([reply.status, reply.text]).toEqual([202, ""]);
    }
    const [other, large] = ['{"a":1}', "x".repeat(25_000_001)];
    expect((await instance.call("POST", path, other, sign('{ "a":1 }'))).status).toBe(404);
    expect((await instance.call("POST", path, large, sign(large))).status).toBe(413);
  });
});
