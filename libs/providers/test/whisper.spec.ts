import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  closeWhisper,
  createWhisperModel,
  isWhisperInstalled,
  whisperModels,
} from "@carrel/providers";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { readSegments } from "../src/native/whisper-speech.ts";
import { audioFixture, toneWav } from "./audio-files.ts";
import { writeTinyWhisper } from "./tiny-whisper.ts";

jest.setTimeout(60_000);
const { signal } = new AbortController();
const recording = (bytes: Uint8Array) => ({ bytes, filename: "memo", mime: "audio/wav" });
const speech = (seconds: number, level = 0.5): Buffer =>
  toneWav({ rate: 16_000, channels: 1, kind: "integer", bits: 16 }, { seconds, level });
let modelsDir: string;
const make = () => createWhisperModel({ modelsDir, hub: null });
beforeAll(async () => {
  modelsDir = await mkdtemp(join(tmpdir(), "carrel-whisper-"));
  await writeTinyWhisper(join(modelsDir, "whisper-small"));
});
afterAll(async () => {
  await closeWhisper();
  await rm(modelsDir, { recursive: true, force: true });
});

describe("the built-in transcription on a model that always says the same", () => {
  it("transcribes with timestamps, in the language that the model detects", async () => {
    const transcript = await make().transcribe(recording(speech(6)), signal);
    expect(transcript).toEqual({
      text: "Hello world again.",
      segments: [
        { start: 0, end: 2, text: "Hello world" },
        { start: 2.5, end: 4, text: "again." },
      ],
    });
  });

  it("continues after 30 seconds and skips silence", async () => {
    const { segments } = await make().transcribe(recording(speech(65)), signal);
    expect(segments.map(({ start }) => start)).toEqual([0, 2.5, 30, 32.5, 60, 62.5]);
    expect(await make().transcribe(recording(speech(65, 0)), signal)).toEqual({
      text: "",
      segments: [],
    });
  });

  it("decodes in the thread, and transcribes one recording at a time", async () => {
    const names = ["tone.mp3", "tone.flac", "tone-opus.ogg"];
    const transcripts = await Promise.all(
      names.map((name) => make().transcribe(recording(audioFixture(name)), signal)),
    );
    for (const { text } of transcripts) expect(text).toContain("Hello world");
  });

  it("reports a damaged recording and continues with the next", async () => {
    const damaged = recording(Buffer.concat([Buffer.from("fLaC"), Buffer.alloc(100, 7)]));
    await expect(make().transcribe(damaged, signal)).rejects.toMatchObject({
      name: "ProviderError",
      kind: "invalid",
      fault: { code: "whisper.recording-damaged" },
    });
    const { text } = await make().transcribe(recording(speech(5)), signal);
    expect(text).toBe("Hello world again.");
  });

  it("stops when aborted, waiting or running, and continues with others", async () => {
    const controller = new AbortController();
    const many = [speech(120), speech(5)].map((bytes) =>
      make().transcribe(recording(bytes), controller.signal),
    );
    const outcomes = Promise.allSettled(many);
    const other = make().transcribe(recording(speech(5)), signal);
    controller.abort();
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({
        status: "rejected",
        reason: { fault: { code: "provider.cancelled" }, kind: "aborted" },
      });
    expect((await other).text).toBe("Hello world again.");
  });

  it("knows which models are installed", async () => {
    expect(whisperModels).toEqual(["Xenova/whisper-small", "Xenova/whisper-large"]);
    expect(await isWhisperInstalled(modelsDir, "Xenova/whisper-small")).toBe(true);
    expect(await isWhisperInstalled(modelsDir, "Xenova/whisper-large")).toBe(false);
  });

  it("refuses other models, and missing ones while downloads are disabled", async () => {
    expect(() => createWhisperModel({ model: "openai/whisper", modelsDir, hub: null })).toThrow(
      "openai/whisper isn't a supported Whisper model. Choose one of: Xenova/whisper-small, Xenova/whisper-large.",
    );
    const large = createWhisperModel({ model: "Xenova/whisper-large", modelsDir, hub: null });
    await expect(large.transcribe(recording(speech(1)), signal)).rejects.toMatchObject({
      kind: "unreachable",
      isRetryable: false,
      message: expect.stringMatching(
        /whisper-large isn't in the models folder.*put the model into the models folder/,
      ),
    });
  });
});

describe("reading a window's segments", () => {
  const at = (seconds: number): number => 1_000 + Math.round(seconds / 0.02);
  it("starts the next window where a cut-off segment begins", () => {
    const tokens = [at(0), 1, 2, at(5), at(5), 3, at(20), at(21), 4, 5];
    expect(readSegments(tokens, 1_000, 30)).toEqual({
      segments: [
        { start: 0, end: 5, tokens: [1, 2] },
        { start: 5, end: 20, tokens: [3] },
      ],
      consumed: 20,
    });
  });
  it("takes the window as a whole if the last segment is closed or there is only one", () => {
    expect(readSegments([at(0), 1, at(5)], 1_000, 30).consumed).toBe(30);
    expect(readSegments([at(0), 1, 2], 1_000, 30)).toEqual({
      segments: [{ start: 0, end: 30, tokens: [1, 2] }],
      consumed: 30,
    });
    expect(readSegments([], 1_000, 30)).toEqual({ segments: [], consumed: 30 });
  });
});
