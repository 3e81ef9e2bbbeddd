import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import "../../../../testing/texts.ts";
import { waitFor } from "@testing-library/dom";
import { faultHeaders } from "../../../../test/fault-of.ts";
import { summarise } from "./upload-batches.ts";
import { uploadStore, type Upload } from "./upload-store.ts";
import { addDropped, addFiles, dismissUploads, keepBoth, retryFailed } from "./uploads.ts";

interface Sent {
  path: string;
  prefer: string | undefined;
  key: string | undefined;
  identical: string | undefined;
  at: number;
  answer(status: number, body: object, retryAfter?: string): void;
  /** Breaks the connection. */
  cut(): void;
}
let sent: Sent[] = [];

/** The part of XMLHttpRequest that the queue uses; the test acts as the server. */
class FakeRequest {
  upload: { onload?: () => void } = {};
  onload: () => void = () => undefined;
  onabort: () => void = () => undefined;
  onerror: () => void = () => undefined;
  status = 0;
  statusText = "";
  responseText = "";
  private replied: Record<string, string> = {};
  private path = "";
  private readonly headers = new Map<string, string>();
  open(_method: string, path: string): void {
    this.path = path;
  }
  setRequestHeader(name: string, value: string): void {
    this.headers.set(name, value);
  }
  getResponseHeader(name: string): string | null {
    return this.replied[name] ?? null;
  }
  abort(): void {
    this.onabort();
  }
  send(): void {
    sent.push({
      path: this.path,
      prefer: this.headers.get("Prefer"),
      key: this.headers.get("Idempotency-Key"),
      identical: this.headers.get("Carrel-Identical"),
      at: performance.now(),
      answer: (status, body, retryAfter) => {
        this.upload.onload?.();
        Object.assign(this, {
          status,
          responseText: JSON.stringify(body),
          replied: {
            ...faultHeaders(body, status),
            ...(retryAfter !== undefined && { "retry-after": retryAfter }),
          },
        });
        this.onload();
      },
      cut: () => this.onerror(),
    });
  }
}

const until = (met: () => boolean): Promise<void> =>
  waitFor(() => expect(met()).toBe(true), { timeout: 30_000 });
/** The queue handles a broken connection in microtasks. */
const handled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const file = (name: string): File => new File(["x"], name);
const drop = (...names: string[]): void =>
  addDropped("w", { files: names.map((name) => ({ file: file(name), folder: "" })), skipped: [] });
const received = {
  success: true,
  error: null,
  document: { id: "d", location: "custom-documents/d.json" },
};

describe("upload queue", () => {
  const before = Object.getOwnPropertyDescriptors({
    XMLHttpRequest: globalThis.XMLHttpRequest,
    addEventListener: globalThis.addEventListener,
    removeEventListener: globalThis.removeEventListener,
  });
  beforeEach(() => {
    sent = [];
    const ignore = (): void => undefined;
    Object.defineProperties(globalThis, {
      XMLHttpRequest: { configurable: true, writable: true, value: FakeRequest },
      addEventListener: { configurable: true, writable: true, value: ignore },
      removeEventListener: { configurable: true, writable: true, value: ignore },
    });
  });
  afterEach(async () => {
    dismissUploads("w", () => true);
    await until(() => uploadStore.get().length === 0);
    Object.defineProperties(globalThis, before);
  });

  it("moves on once the server has a file, and drops it", async () => {
    drop("1.txt", "2.txt", "3.txt", "4.txt");
    await until(() => sent.length === 3);
    expect(sent.map(({ prefer }) => prefer)).toEqual([
      "respond-async",
      "respond-async",
      "respond-async",
    ]);
    sent[0]!.answer(202, received);
    await until(() => sent.length === 4);
    for (const each of sent.slice(1)) each.answer(202, received);
    await until(
      () => summarise("w", uploadStore.get()).done === 4 && uploadStore.get().length === 0,
    );
  }, 90_000);

  it("estimates the time left from the work that is done, once there is something to go by", () => {
    const upload = (id: number, bytes: number, progress: number): Upload => ({
      ...{ id, slug: "w", name: `${id}.pdf`, bytes, folder: "", embed: true, link: false },
      ...{ wait: false, state: "uploading", progress, reason: null },
    });
    const list = [upload(1, 950_000, 0.5), upload(2, 1_950_000, 0)];
    const batch = { done: 1, worked: 500_000, beganAt: 0 };
    expect(summarise("w", list, batch, 2_000)).toMatchObject({ total: 3, secondsLeft: null });
    expect(summarise("w", list, batch, 10_000).secondsLeft).toBeCloseTo(25);
    expect(
      summarise("w", [upload(1, 0, 0)], { ...batch, worked: 0 }, 10_000).secondsLeft,
    ).toBeNull();
  });

  it("adds a file that is already there only if the person wants both", async () => {
    drop("1.txt");
    await until(() => sent.length === 1);
    expect(sent[0]!.identical).toBe("refuse");
    const error = "The same file is already in the library, as 1.txt.";
    sent[0]!.answer(409, { success: false, error });
    await until(() => uploadStore.get()[0]?.isIdentical === true);
    expect(summarise("w", uploadStore.get())).toMatchObject({ skipped: 1, failed: 0 });
    retryFailed("w");
    expect(sent).toHaveLength(1);
    keepBoth(uploadStore.get()[0]!.id);
    await until(() => sent.length === 2);
    expect([sent[1]!.identical, sent[1]!.key === sent[0]!.key]).toEqual([undefined, false]);
    sent[1]!.answer(202, received);
    await until(() => uploadStore.get().length === 0);
  }, 90_000);

  it("waits for a few files that the next question needs", async () => {
    addFiles("w", [file("basis.txt")]);
    await until(() => sent.length === 1);
    expect(sent[0]!.prefer).toBeUndefined();
    sent[0]!.answer(200, received);
    await until(() => uploadStore.get().some(({ state }) => state === "done"));
  }, 90_000);

  it("retries for as long as a busy server asks, and reports other refusals at once", async () => {
    drop("busy.txt");
    for (let turn = 1; turn <= 3; turn++) {
      await until(() => sent.length === turn);
      sent.at(-1)!.answer(503, { success: false, error: "Very many documents are waiting." }, "1");
      await until(() => uploadStore.get().every(({ state }) => state === "waiting"));
    }
    await until(() => sent.length === 4);
    for (let turn = 1; turn <= 3; turn++)
      expect(sent[turn]!.at - sent[turn - 1]!.at).toBeGreaterThan(900);
    sent.at(-1)!.answer(415, { success: false, error: "Files of this type cannot be read." });
    await until(() =>
      uploadStore
        .get()
        .some(
          ({ state, reason }) =>
            state === "failed" && reason === "Files of this type cannot be read.",
        ),
    );
  }, 90_000);

  it("waits while the server doesn't respond, and retries at once when it is back", async () => {
    drop("1.txt", "2.txt");
    await until(() => sent.length === 2);
    for (const each of sent) each.cut();
    await until(() => uploadStore.get().every(({ state }) => state === "waiting"));
    await until(() => sent.length === 4);
    expect(sent[2]!.at - sent[1]!.at).toBeGreaterThan(900);
    for (const each of sent.slice(2)) each.cut();
    await handled();
    const cutAt = performance.now();
    dispatchEvent(new Event("online"));
    await until(() => sent.length === 6);
    expect(sent[5]!.at - cutAt).toBeLessThan(1_500); // after a pause, it would be two seconds
    for (const each of sent.slice(4)) each.answer(202, received);
    await until(() => uploadStore.get().length === 0);
    // Each file keeps its key, so that the server recognises a file it already has.
    const keys = sent.map(({ key }) => key);
    expect(new Set(keys).size).toBe(2);
    expect([keys.slice(2, 4), keys.slice(4)]).toEqual([keys.slice(0, 2), keys.slice(0, 2)]);
  }, 90_000);

  it("fails a file that breaks the connection time and again, but not the others", async () => {
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "visible" });
    drop("breaks.txt");
    for (let turn = 1; turn <= 5; turn++) {
      await until(() => sent.length === turn);
      sent.at(-1)!.cut();
      await handled();
      dispatchEvent(new Event("online"));
    }
    await until(() =>
      uploadStore.get().every(({ state, reason }) => state === "failed" && reason === "network"),
    );
    drop("fine.txt");
    await until(() => sent.length === 6);
    sent[5]!.answer(202, received);
    await until(() => uploadStore.get().length === 1);
    Reflect.deleteProperty(document, "visibilityState");
  }, 90_000);
});
