import type { TranscriptionModel } from "@carrel/providers";
import { poll } from "@carrel/testing";
import { describe, expect, it } from "@jest/globals";
import type { InstanceSettings } from "../setting/instance-settings.ts";
import type { ModelUse, NewUse } from "../usage/model-use.ts";
import { Transcriber } from "./transcriber.ts";

const used: NewUse[] = [];
const use = { add: (each: NewUse) => used.push(each) } as unknown as ModelUse;

const settings = {
  get: () => Promise.resolve({ WhisperProvider: "fake" }),
} as unknown as InstanceSettings;
const recording = {
  filename: "talk.mp3",
  mime: "audio/mpeg",
  bytes: 3,
  read: () => Promise.resolve(new Uint8Array([1, 2, 3])),
  workspaceId: 4,
  userId: 7,
};
const { signal } = new AbortController();
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
      use,
    );
    expect(await transcriber.isReady()).toBe(true);
    expect(await transcriber.transcribe(recording, signal)).toEqual({
      text: "3 bytes of talk.mp3",
      segments: [],
    });
    await expect(
      transcriber.transcribe({ ...recording, bytes: 11 * 1024 * 1024 }, signal),
    ).rejects.toMatchObject({
      name: "UnreadableError",
      curable: true,
      message: "The recording exceeds fake's limit of 10 MB.",
    });
  });

  it("are counted by the vendor's length, for who uploaded them", async () => {
    used.length = 0;
    const measured = {
      ...model,
      transcribe: () => Promise.resolve({ text: "a", segments: [], seconds: 61.5 }),
    };
    await new Transcriber(() => measured, settings, use).transcribe(recording, signal);
    expect(used).toEqual([
      {
        purpose: "transcription",
        workspaceId: 4,
        userId: 7,
        provider: "fake",
        model: "one",
        audioMs: 61_500,
        isEstimated: false,
        milliseconds: expect.any(Number),
      },
    ]);
  });

  it("name the missing setting, and may be retried", async () => {
    const transcriber = new Transcriber(() => null, settings, use);
    expect(await transcriber.isReady()).toBe(false);
    await expect(transcriber.transcribe(recording, signal)).rejects.toMatchObject({
      curable: true,
      message: expect.stringContaining("WhisperProvider"),
    });
  });

  it.each([
    ["one at a time on this machine", { ...model, runsHere: true as const }, 1],
    ["two at a time at a vendor", model, 2],
  ])("are transcribed %s", async (_, chosen, atOnce) => {
    const transcriber = new Transcriber(() => chosen, settings, use);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    let [started, running, most] = [0, 0, 0];
    const all = [1, 2, 3].map(() =>
      transcriber.inTurn(async () => {
        started++;
        most = Math.max(most, ++running);
        await end;
        running--;
      }),
    );
    await poll(() => started).toBe(atOnce);
    resolve();
    await Promise.all(all);
    expect(started).toBe(3);
    expect(most).toBe(atOnce);
  });
});
