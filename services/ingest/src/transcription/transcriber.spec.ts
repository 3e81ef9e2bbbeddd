import { describe, expect, it } from "@jest/globals";
import type { TranscriptionModel } from "@carrel/providers";
import type { InstanceSettings } from "../setting/instance-settings.ts";
import { Transcriber, writeTranscript } from "./transcriber.ts";

const settings = {
  get: () => Promise.resolve({ WhisperProvider: "fake" }),
} as unknown as InstanceSettings;
const recording = {
  filename: "talk.mp3",
  mime: "audio/mpeg",
  bytes: 3,
  read: () => Promise.resolve(new Uint8Array([1, 2, 3])),
};
const model: TranscriptionModel = {
  provider: "fake",
  model: "one",
  maxBytes: 10 * 1024 * 1024,
  transcribe: ({ bytes, filename }) =>
    Promise.resolve({ text: `${bytes.length} bytes of ${filename}`, segments: [] }),
};

describe("recordings", () => {
  it("go to the model that the settings name", async () => {
    const transcriber = new Transcriber(
      (values) => (values.WhisperProvider === "fake" ? model : null),
      settings,
    );
    expect(await transcriber.isReady()).toBe(true);
    expect(await transcriber.transcribe(recording)).toBe("3 bytes of talk.mp3");
    await expect(
      transcriber.transcribe({ ...recording, bytes: 11 * 1024 * 1024 }),
    ).rejects.toMatchObject({
      name: "UnreadableError",
      curable: false,
      message: "The recording exceeds fake's limit of 10 MB.",
    });
  });
  it("name the missing setting, and may be retried", async () => {
    const transcriber = new Transcriber(() => null, settings);
    expect(await transcriber.isReady()).toBe(false);
    await expect(transcriber.transcribe(recording)).rejects.toMatchObject({
      curable: true,
      message: expect.stringContaining("WhisperProvider"),
    });
  });
  it("become paragraphs of a minute, each with its timestamp", () => {
    const segments = [
      { start: 0, end: 4, text: " Good morning." },
      { start: 30, end: 40, text: "We begin." },
      { start: 61, end: 70, text: "First, the roof." },
      { start: 3725, end: 3730, text: "Goodbye." },
    ];
    expect(writeTranscript({ text: "", segments })).toBe(
      "[00:00:00] Good morning. We begin.\n\n[00:01:01] First, the roof.\n\n[01:02:05] Goodbye.",
    );
    expect(writeTranscript({ text: "All of it.", segments: [] })).toBe("All of it.");
  });
});
