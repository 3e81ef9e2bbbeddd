import { instancePrincipal, type DocumentState, type ProgressFrame } from "@carrel/contracts";
import type { Broadcast, RequestClient } from "@carrel/messaging";
import { beforeEach, describe, expect, it } from "@jest/globals";
import type { EventStreams } from "../stream/event-stream.ts";
import { DocumentWait, type DocumentOutcome } from "./document-wait.ts";

const scope = { principal: instancePrincipal, workspace: { id: 1, slug: "w1" } };
const signal = new AbortController().signal;

describe("waiting for a document", () => {
  const listeners = new Set<(payload: unknown) => void>();
  let stored: DocumentOutcome[];
  let asked: string[][];
  let onAsked: () => void;
  let wait: DocumentWait;
  let gateway: AbortController;
  beforeEach(() => {
    stored = [];
    asked = [];
    onAsked = () => undefined;
    const requests = {
      request: (_contract: unknown, { documentIds }: { documentIds: string[] }) => {
        asked.push(documentIds);
        const documents = stored.filter(({ documentId }) => documentIds.includes(documentId));
        onAsked();
        return Promise.resolve({ documents });
      },
    } as unknown as RequestClient;
    const broadcast = {
      on: (_channel: string, listener: (payload: unknown) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    } as unknown as Broadcast;
    gateway = new AbortController();
    const streams = { stopping: gateway.signal } as EventStreams;
    wait = new DocumentWait(requests, broadcast, streams);
  });
  const outcome = (documentId: string, state: DocumentState): DocumentOutcome => ({
    documentId,
    docpath: `custom-documents/${documentId}.json`,
    state,
    reason: state === "failed" ? { code: "file.no-text", params: { filename: "a.pdf" } } : null,
  });
  const send = (documentId: string, state: DocumentState): void => {
    const frame = { type: "document_state", document: outcome(documentId, state) } as ProgressFrame;
    for (const listener of listeners) listener(frame);
  };

  const forNew = (documentId: string, leaving = signal): Promise<DocumentOutcome> =>
    wait.forNew(() => Promise.resolve({ documentId }), scope, leaving);

  it("takes a new document's state from its frame, without a request", async () => {
    const waiting = forNew("a");
    send("a", "parsing");
    await Promise.resolve();
    send("c", "searchable");
    send("a", "searchable");
    expect(await waiting).toEqual(outcome("a", "searchable"));
    expect(asked).toEqual([]);
    expect(listeners.size).toBe(0);
  });

  it("sees the end of a new document before its id", async () => {
    const registered = Promise.withResolvers<{ documentId: string }>();
    const waiting = wait.forNew(() => registered.promise, scope, signal);
    send("c", "searchable");
    send("a", "embedding");
    registered.resolve({ documentId: "a" });
    expect(await waiting).toEqual(outcome("a", "embedding"));
    expect(asked).toEqual([]);
  });

  it("stops listening if registration fails", async () => {
    const full = new Error("full");
    await expect(wait.forNew(() => Promise.reject(full), scope, signal)).rejects.toBe(full);
    expect(listeners.size).toBe(0);
  });

  it("asks about a document that fails, for the stored reason", async () => {
    stored = [{ ...outcome("a", "failed"), reason: { code: "file.original-gone" } }];
    const waiting = forNew("a");
    send("a", "failed");
    expect(await waiting).toEqual(stored[0]);
  });

  it("asks about a new document whose frame was lost", async () => {
    stored = [outcome("a", "searchable")];
    expect(await forNew("a")).toEqual(stored[0]);
    expect(asked).toEqual([["a"]]);
  });

  it("asks at once about documents that may have ended before", async () => {
    stored = [outcome("a", "embedded"), outcome("b", "queued")];
    onAsked = () => send("b", "searchable");
    expect(await wait.forEnd(["a", "b"], scope, signal)).toEqual([
      outcome("a", "embedded"),
      outcome("b", "searchable"),
    ]);
    expect(asked).toEqual([["a", "b"]]);
  });

  it.each([
    { code: "document.waits-for-store", params: { store: "Qdrant" } },
    { code: "document.waits-for-space" },
  ])("ends when a document waits for what isn't available: $code", async (reason) => {
    const waitsForStore = { ...outcome("a", "queued"), reason };
    const waiting = forNew("a");
    send("a", "queued");
    for (const listener of listeners)
      listener({ type: "document_state", document: waitsForStore } as unknown as ProgressFrame);
    expect(await waiting).toEqual(waitsForStore);
  });

  it("ends when the client leaves", async () => {
    const client = new AbortController();
    const waiting = forNew("a", client.signal);
    client.abort();
    await expect(waiting).rejects.toMatchObject({ code: "request.client-left" });
    expect(listeners.size).toBe(0);
  });

  it("ends when the gateway stops", async () => {
    const waiting = forNew("a");
    gateway.abort();
    await expect(waiting).rejects.toMatchObject({ code: "request.stopping" });
    expect(listeners.size).toBe(0);
  });
});
