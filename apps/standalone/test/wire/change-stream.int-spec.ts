import { setTimeout as wait } from "node:timers/promises";
import {
  accessChanged,
  CarrelError,
  changesCompleteHeader,
  changesSinceHeader,
  readHistory,
  registerDocument,
  settingsChanged,
  workspaceDocumentsChanged,
  type HistoryItem,
  type In,
  type WorkspaceDocumentStatus,
} from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answerEverything, answerState, documentId, fileForm } from "./fixture-answers.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";
import { openStream } from "./stream-reader.ts";

let instance: TestInstance;

beforeAll(async () => {
  instance = await startTestInstance();
  answerEverything(instance);
  await instance.call("POST", "/api/workspace/new", { name: "W" });
}, 120_000);

afterAll(() => instance.stop());

const open = (path: string, options?: Parameters<typeof openStream>[1]) =>
  openStream(`${instance.url}${path}`, options);

const data = (...frames: object[]): string =>
  frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");

describe("a history", () => {
  it("is assembled from pages, oldest first, for existing clients", async () => {
    const item = (content: string): HistoryItem => ({
      role: "user",
      content,
      sentAt: 1,
      attachments: [],
      chatId: 9,
    });
    for (const [thread, path] of [
      [null, "/api/workspace/w/chats"],
      ["a-thread", "/api/workspace/w/thread/a-thread/chats"],
    ] as const) {
      const pages = new Map<number | null, [content: string, next: number | null]>([
        [null, ["three", 7]],
        [7, ["two", 5]],
        [5, ["one", null]],
      ]);
      const known: (string | null)[] = [];
      instance.chat.answer(readHistory, (input: In<typeof readHistory>) => {
        expect(input.thread).toBe(thread);
        known.push(input.knownVersion);
        const [content, next] = pages.get(input.before)!;
        const page = { items: JSON.stringify(item(content)), next, hasImages: false };
        return { version: content, page: input.knownVersion === content ? null : page };
      });
      const read = async () =>
        (await instance.call("GET", path)).json as { history: HistoryItem[] };
      const whole = { history: [item("one"), item("two"), item("three")] };
      expect(await read()).toEqual(whole);
      // Unchanged pages aren't sent again.
      expect(await read()).toEqual(whole);
      pages.set(7, ["two, edited", 5]);
      expect(await read()).toEqual({
        history: [item("one"), item("two, edited"), item("three")],
      });
      const versions = ["three", "two", "one"];
      expect(known).toEqual([null, null, null, ...versions, ...versions]);
    }
  });
});

describe("the change stream", () => {
  const status = (state: WorkspaceDocumentStatus["state"]): WorkspaceDocumentStatus => ({
    documentId,
    docpath: "custom-documents/a.json",
    title: "a.txt",
    state,
    reason: null,
    progress: 0,
    chunksDone: 0,
    chunksTotal: 0,
    bytes: 1,
    pages: null,
    wordCount: 1,
    mime: "text/plain",
    addedAt: "2026-11-21T00:00:00.000Z",
    hasOriginal: true,
  });

  it("receives document states in our clients, and the wire's frames in others", async () => {
    const ours = await open("/api/workspace/w/embed-progress", {
      headers: { "x-carrel-stream": "1" },
    });
    const theirs = await open("/api/workspace/w/embed-progress");
    for (const state of ["queued", "searchable"] as const)
      await instance.shared.messaging.broadcast.publish("progress:1", {
        type: "document_state",
        document: status(state),
      });
    await theirs.until("all_complete");
    await ours.until("searchable");
    expect(ours.text()).toBe(
      data(
        { type: "document_state", document: status("queued") },
        { type: "document_state", document: status("searchable") },
      ),
    );
    expect([...theirs.text().matchAll(/"type":"(\w+)"/g)].map((match) => match[1])).toEqual([
      "batch_starting",
      "doc_starting",
      "doc_complete",
      "all_complete",
    ]);
    ours.leave();
    theirs.leave();
  });

  it("receives changes to the instance", async () => {
    const reader = await open("/api/changes", { headers: { "x-carrel-stream": "1" } });
    await instance.call("POST", "/api/workspace/new", { name: "Another" });
    await instance.shared.messaging.broadcast.publish(`event:${workspaceDocumentsChanged.name}`, {
      workspaceId: 1,
    });
    await reader.until("workspace-documents.changed");
    await reader.until('{"type":"workspace.created","workspaceId":2}');
    reader.leave();
  });

  it("begins with the changes since an earlier reply, if all of them are known", async () => {
    const ping = await fetch(`${instance.url}/api/workspaces`);
    const position = ping.headers.get(changesSinceHeader)!;
    const { broadcast } = instance.shared.messaging;
    await broadcast.publish(`event:${settingsChanged.name}`, { keys: ["LLMProvider"] });
    const watch = (since: string) =>
      open(`/api/changes?since=${encodeURIComponent(since)}`, {
        headers: { "x-carrel-stream": "1" },
      });

    const reader = await watch(position);
    expect(reader.headers[changesCompleteHeader]).toBe("1");
    const text = await reader.until('"settings.changed"');
    reader.leave();
    // It also continues after the last frame's ID.
    const [, id = ""] = /id: (\S+)\ndata: \{"type":"settings.changed"/.exec(text)!;
    await broadcast.publish(`event:${workspaceDocumentsChanged.name}`, { workspaceId: 1 });
    const continued = await watch(id);
    expect(continued.headers[changesCompleteHeader]).toBe("1");
    await continued.until("workspace-documents.changed");
    continued.leave();

    // Somebody's rights may have changed: the reader must check everything again.
    await broadcast.publish(`event:${accessChanged.name}`, {});
    for (const since of [position, "another.1"]) {
      const unknown = await watch(since);
      expect(unknown.headers).not.toHaveProperty(changesCompleteHeader);
      expect(unknown.headers).toHaveProperty(changesSinceHeader);
      unknown.leave();
    }
  });

  it("answers an upload once the document is searchable, and finishes it if the client leaves", async () => {
    answerState(instance.ingest, "indexing");
    let answered = false;
    const waiting = instance
      .call("POST", "/api/workspace/w/upload-and-embed", fileForm())
      .then((answer) => {
        answered = true;
        return answer;
      });
    await waitFor(() => instance.ingest.last(registerDocument) !== undefined, {
      what: "the registration",
    });
    await wait(200);
    expect(answered).toBe(false);
    answerState(instance.ingest, "searchable");
    await instance.shared.messaging.broadcast.publish("progress:1", {
      type: "document_state",
      document: status("searchable"),
    });
    const started = performance.now();
    expect((await waiting).json).toEqual({
      success: true,
      error: null,
      document: { id: documentId, location: "custom-documents/a.json" },
    });
    expect(performance.now() - started).toBeLessThan(60_000);
  });

  it("an upload with Prefer: respond-async is answered once it is stored and registered", async () => {
    answerState(instance.ingest, "indexing");
    instance.ingest.answer(registerDocument, {
      documentId,
      title: "a.txt",
      docpath: "custom-documents/a.json",
    });
    const send = (route: string, headers: Record<string, string>) =>
      fetch(`${instance.url}/api/workspace/w/${route}`, {
        method: "POST",
        headers,
        body: fileForm(),
      });
    for (const [route, body] of [
      [
        "upload-and-embed",
        {
          success: true,
          error: null,
          document: { id: documentId, location: "custom-documents/a.json" },
        },
      ],
      ["upload", { success: true, error: null }],
    ] as const) {
      const answer = await send(route, { Prefer: "respond-async" });
      expect([
        answer.status,
        answer.headers.get("preference-applied"),
        await answer.json(),
      ]).toEqual([202, "respond-async", body]);
    }
    // The queue is full; the reply says when to retry.
    instance.ingest.answer(registerDocument, () => {
      throw new CarrelError("document.queue-full", {}, { retryAfter: 5 });
    });
    const refused = await send("upload", { Prefer: "respond-async" });
    expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
      503,
      "5",
      {
        success: false,
        error: "Many documents are waiting to be processed. Try again in a moment.",
      },
    ]);
  });
});
