import { createHash } from "node:crypto";
import {
  getDocumentText,
  listAcceptedTypes,
  removeAndUnembed,
  retryDocument,
} from "@carrel/contracts";
import { ProviderError, type Transcript, type TranscriptionModel } from "@carrel/providers";
import { makeWave, poll } from "@carrel/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import {
  libraryScope,
  startTestIngest,
  workspaceScope,
  type TestIngest,
} from "../../test/test-ingest.ts";
import { useTranscription } from "../../test/use-transcription.ts";

const find = { mode: "text" as const };
/** Three minutes of minutes, the last one about a lighthouse. */
const transcript: Transcript = {
  text: "",
  segments: Array.from({ length: 18 }, (_, n) => ({
    start: 1 + n * 10,
    end: 11 + n * 10,
    text: n === 14 ? "The lighthouse needs a lamp." : `Item ${n} of the agenda is closed.`,
  })),
};
let length = 1;
/** A unique recording. */
const record = (): Buffer => makeWave(length++ / 100);

type Call = Parameters<TranscriptionModel["transcribe"]>;

describe("recordings, from upload to search", () => {
  let ingest: TestIngest;
  let answer: (...call: Call) => Promise<Transcript>;
  let calls: Call[];
  let restoreModels: (() => void) | undefined;
  beforeAll(async () => {
    restoreModels = useTranscription(() => ({
      provider: "fake",
      model: "one",
      maxBytes: 1_000_000,
      transcribe: (...call) => {
        calls.push(call);
        return answer(...call);
      },
    }));
    ingest = await startTestIngest({ embedder: false });
    await ingest.changeSettings({ ...ingest.state.settings, WhisperProvider: "fake" });
  });
  beforeEach(() => {
    calls = [];
    answer = () => Promise.resolve(transcript);
  });
  afterAll(async () => {
    restoreModels?.();
    await ingest?.stop();
  });

  /** Never answers, like a vendor that is still listening. */
  const hang = (_: Call[0], signal: AbortSignal): Promise<never> =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () =>
        reject(new ProviderError({ code: "request.timed-out" }, { kind: "aborted" })),
      );
    });
  const upload = async (name: string, bytes = record()): Promise<string> => {
    const id = await ingest.upload(1, name, bytes);
    await poll(() => calls.length).toBeGreaterThan(0);
    return id;
  };

  it("are accepted and become documents whose passages cite their time", async () => {
    const { types } = await ingest.client.request(listAcceptedTypes, {}, { scope: libraryScope });
    expect(types["audio/mpeg"]).toEqual([".mp3"]);
    const bytes = record();
    const id = await ingest.upload(1, "Board meeting.wav", bytes);
    await ingest.until(1, id, "searchable");
    expect(calls[0]![0]).toMatchObject({ filename: "Board meeting.wav", mime: "audio/wav" });
    expect(Buffer.from(calls[0]![0].bytes).equals(bytes)).toBe(true);
    const { passages } = await ingest.search(1, "lamp of the lighthouse", find);
    expect(passages[0]).toMatchObject({
      documentId: id,
      title: "Board meeting.wav",
      headingPath: ["00:02:01"],
      text: expect.stringMatching(/^00:02:01\n\nItem 12 .* The lighthouse needs a lamp\./),
    });
    const { start, end } = passages[0]!;
    const text = await ingest.client.request(
      getDocumentText,
      { slug: "w1", documentId: id, start, end },
      { scope: workspaceScope(1) },
    );
    expect(text).toMatchObject({ mime: "audio/wav", headingPath: ["00:02:01"] });
    expect(text.originalUrl).toMatch(/^\/api\/blob\//);
    const [row] = await ingest.sql(
      `SELECT kind, doc_source, mime, word_count > 90 AS counted FROM ingest.document WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({
      kind: "audio",
      doc_source: "a recording uploaded by the user.",
      mime: "audio/wav",
      counted: true,
    });
  });

  it("aren't transcribed a second time", async () => {
    const bytes = record();
    const first = await upload("talk.wav", bytes);
    await ingest.until(1, first, "searchable");
    const second = await ingest.upload(2, "the same talk.wav", bytes);
    await ingest.until(2, second, "searchable");
    expect(calls).toHaveLength(1);
    expect((await ingest.search(2, "lighthouse lamp", find)).passages[0]).toMatchObject({
      documentId: second,
      headingPath: ["00:02:01"],
    });
  });

  it("don't hold up other files", async () => {
    answer = hang;
    const slow = new Map<string, string>();
    for (const name of ["one.wav", "two.wav", "three.wav"]) slow.set(name, await upload(name));
    const text = await ingest.upload(1, "note.txt", "The signal box is locked.");
    await ingest.until(1, text, "searchable");
    await poll(() => calls.length).toBe(2);
    answer = () => Promise.resolve(transcript);
    for (const [{ filename }] of [...calls]) {
      await remove(slow.get(filename)!);
      slow.delete(filename);
    }
    for (const id of slow.values()) await ingest.until(1, id, "searchable");
  });

  const remove = async (documentId: string): Promise<void> => {
    const [row] = await ingest.sql<{ docpath: string }>(
      `SELECT docpath FROM ingest.document WHERE id = $1`,
      [documentId],
    );
    await ingest.client.request(
      removeAndUnembed,
      { slug: "w1", documentLocation: row!.docpath },
      { scope: workspaceScope(1) },
    );
  };

  it("are no longer transcribed once they are removed, and leave nothing behind", async () => {
    answer = hang;
    const bytes = record();
    const id = await upload("removed.wav", bytes);
    const key = `original/${createHash("sha256").update(bytes).digest("hex")}`;
    expect(await ingest.blobKeys()).toContain(key);
    expect((await ingest.state1(1, id))!.state).toBe("parsing");
    await remove(id);
    await poll(() => calls[0]![1].aborted, { timeoutMs: 15_000 }).toBe(true);
    await poll(() => ingest.blobKeys()).not.toContain(key);
    expect(await ingest.state1(1, id)).toBeNull();
    expect(calls).toHaveLength(1);
  });

  it("are transcribed by the next process if this one ends", async () => {
    answer = hang;
    const id = await upload("interrupted.wav");
    await ingest.restart(async () => {
      answer = () => Promise.resolve(transcript);
      await poll(() => calls[0]![1].aborted).toBe(true);
    });
    await ingest.until(1, id, "searchable");
    expect(calls).toHaveLength(2);
    const [rows] = await ingest.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM ingest.document WHERE filename = 'interrupted.wav'`,
    );
    expect(rows!.n).toBe(1);
  });

  it("fail with the provider's reason and succeed when they are retried", async () => {
    const fault = { code: "file.no-text", params: { filename: "x" } } as const;
    answer = () => Promise.reject(new ProviderError(fault, { kind: "authentication" }));
    const id = await ingest.upload(1, "refused.wav", record());
    expect((await ingest.until(1, id, "failed")).reason).toEqual(fault);
    expect(calls).toHaveLength(1);
    answer = () => Promise.resolve(transcript);
    await ingest.client.request(
      retryDocument,
      { slug: "w1", documentId: id },
      { scope: workspaceScope(1) },
    );
    await ingest.until(1, id, "searchable");
    expect(calls).toHaveLength(2);
  });

  it("are tried again by themselves after a passing failure", async () => {
    answer = () => {
      answer = () => Promise.resolve(transcript);
      return Promise.reject(
        new ProviderError({ code: "request.timed-out" }, { kind: "unreachable" }),
      );
    };
    const id = await ingest.upload(1, "second attempt.wav", record());
    await ingest.until(1, id, "searchable");
    expect(calls).toHaveLength(2);
  });

  it("are read in chats too, and name a lack of speech", async () => {
    await ingest.drop(workspaceScope(1), 5, "voice note.wav", record());
    await poll(async () =>
      (await ingest.files(workspaceScope(1), 5)).map(({ title, state }) => ({ title, state })),
    ).toEqual([{ title: "voice note.wav", state: "parsed" }]);
    answer = () => Promise.resolve({ text: " ", segments: [] });
    const silent = await ingest.upload(1, "silence.wav", record());
    expect((await ingest.until(1, silent, "failed")).reason).toEqual({
      code: "file.no-speech",
      params: { filename: "silence.wav" },
    });
  });
});
