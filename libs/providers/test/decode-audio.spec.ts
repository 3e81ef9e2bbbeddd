import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { detectAudioFormat } from "../src/native/decode-audio-wav.ts";
import { decodeAudio, prepareResampler } from "../src/native/decode-audio.ts";
import { decodeWithFfmpeg } from "../src/native/whisper-thread.ts";
import {
  amplitudeAt,
  audioFixture,
  collect,
  dominantFrequency,
  silentFlac,
  toneWav,
  type WavShape,
} from "./audio-files.ts";

const decode = (bytes: Uint8Array): Promise<Float32Array> =>
  collect(decodeAudio(bytes, detectAudioFormat(bytes)!));
const seconds = (samples: Float32Array): number => samples.length / 16_000;

describe("decoding without ffmpeg", () => {
  it.each([
    ["tone.mp3", "mp3"],
    ["tone.flac", "flac"],
    ["tone-opus.ogg", "opus"],
  ])("reads %s", async (name, format) => {
    const bytes = audioFixture(name);
    expect(detectAudioFormat(bytes)).toBe(format);
    const samples = await decode(bytes);
    expect(Math.abs(seconds(samples) - 1.5)).toBeLessThan(0.06);
    expect(dominantFrequency(samples)).toBe(440);
    expect(amplitudeAt(samples, 440)).toBeGreaterThan(0.05);
  });

  it.each<WavShape>([
    { rate: 8_000, channels: 1, kind: "integer", bits: 8 },
    { rate: 16_000, channels: 2, kind: "integer", bits: 16 },
    { rate: 44_100, channels: 2, kind: "integer", bits: 24 },
    { rate: 48_000, channels: 6, kind: "integer", bits: 32 },
    { rate: 96_000, channels: 1, kind: "float", bits: 32 },
    { rate: 11_025, channels: 1, kind: "float", bits: 64 },
  ])("reads WAV of $rate Hz, $channels channels, $bits bit $kind", async (shape) => {
    const samples = await decode(toneWav(shape));
    expect(seconds(samples)).toBeCloseTo(0.5, 3);
    expect(amplitudeAt(samples, 440)).toBeCloseTo(0.5, 1);
  });

  it("removes what 16 kHz can't hold instead of folding it down", async () => {
    const shape = { rate: 48_000, channels: 1, kind: "float", bits: 32 } as const;
    const samples = await decode(toneWav(shape, { frequency: 11_000 }));
    expect(amplitudeAt(samples, 5_000)).toBeLessThan(0.001);
  });

  it("resamples the same in any pieces", () => {
    const input = Float32Array.from({ length: 5_000 }, (_, place) => Math.sin(place / 7));
    const begin = prepareResampler(44_100);
    const whole = begin();
    const once = [...whole.push(input), ...whole.flush()];
    const split = begin();
    const pieces = [3, 1_000, 1_001, 4_999, 5_000].map((end, index, ends) =>
      split.push(input.subarray(ends[index - 1] ?? 0, end)),
    );
    expect([...pieces.flatMap((piece) => [...piece]), ...split.flush()]).toEqual(once);
    expect(once).toHaveLength(Math.ceil((5_000 * 16_000) / 44_100));
  });
});

describe("damaged and hostile recordings", () => {
  // The decoders log what they skip; the worker thread ignores this.
  beforeEach(() => {
    jest.spyOn(console, "error").mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const damaged = { name: "AudioFault", code: "whisper.recording-damaged" };

  it.each(["tone.mp3", "tone.flac", "tone-opus.ogg"])(
    "reads what there is of a truncated %s",
    async (name) => {
      const bytes = audioFixture(name);
      const samples = await decode(bytes.subarray(0, Math.floor(bytes.length * 0.7)));
      expect(seconds(samples)).toBeGreaterThan(0);
      expect(seconds(samples)).toBeLessThan(1.5);
    },
  );

  it.each(["tone.mp3", "tone.flac", "tone-opus.ogg"])(
    "survives %s with random bytes",
    async (name) => {
      const original = audioFixture(name);
      let state = 7;
      const random = (below: number): number => {
        state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
        return state % below;
      };
      for (let round = 0; round < 20; round++) {
        const bytes = original.slice();
        for (let change = 0; change < 12; change++)
          bytes[8 + random(bytes.length - 8)] = random(256);
        const format = detectAudioFormat(bytes);
        if (format === null) continue;
        const outcome = await collect(decodeAudio(bytes, format)).catch((fault: unknown) => fault);
        if (outcome instanceof Float32Array) expect(seconds(outcome)).toBeLessThan(60);
        else expect(outcome).toMatchObject(damaged);
      }
    },
  );

  it("refuses WAV without samples, channels or a rate, and one of five hours", async () => {
    const wav = toneWav({ rate: 16_000, channels: 1, kind: "integer", bits: 16 });
    await expect(decode(wav.subarray(0, 44))).rejects.toMatchObject(damaged);
    for (const field of [22, 24]) {
      const broken = Buffer.from(wav);
      broken.writeUInt16LE(0, field);
      await expect(decode(broken)).rejects.toMatchObject(damaged);
    }
    const tone = toneWav({ rate: 1_000, channels: 1, kind: "integer", bits: 8 });
    const long = Buffer.concat([tone, Buffer.alloc(18_000_000, 128)]);
    long.writeUInt32LE(long.length - 44, 40); // the length of the samples
    await expect(decode(long)).rejects.toMatchObject({ code: "whisper.recording-too-long" });
  });

  it("prepares for each rate once, and for a few only", async () => {
    const [high, low] = [65_535, 65_533];
    const alternating = silentFlac(Array.from({ length: 2_000 }, (_, n) => (n % 2 ? low : high)));
    // A frame has 4.7 samples at 16 kHz.
    const samples = await decode(alternating);
    expect(samples.length).toBeGreaterThanOrEqual(2_000 * 4);
    expect(samples.length).toBeLessThanOrEqual(2_000 * 5);
    const many = silentFlac(Array.from({ length: 9 }, (_, n) => 4_410 + n));
    await expect(decode(many)).rejects.toMatchObject(damaged);
  });

  it("gives up on WAV with thousands of empty chunks", () => {
    const wav = toneWav({ rate: 16_000, channels: 1, kind: "integer", bits: 16 });
    const padded = (chunks: number) =>
      Buffer.concat([wav.subarray(0, 36), Buffer.alloc(chunks * 8), wav.subarray(36)]);
    expect(detectAudioFormat(padded(100))).toBe("wav");
    expect(detectAudioFormat(padded(5_000))).toBeNull();
  });

  it("trusts no size in a header", async () => {
    const wav = toneWav({ rate: 16_000, channels: 1, kind: "integer", bits: 16 });
    for (const size of [0, 0xffffffff]) {
      wav.writeUInt32LE(size, 40);
      expect(seconds(await decode(wav))).toBeCloseTo(0.5, 3);
    }
  });
});

const hasFfmpeg = spawnSync("ffmpeg", ["-version"]).status === 0;

describe("decoding with ffmpeg", () => {
  const path = process.env.PATH;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "carrel-ffmpeg-test-"));
    process.env.TMPDIR = folder;
  });
  afterEach(async () => {
    process.env.PATH = path;
    delete process.env.TMPDIR;
    await rm(folder, { recursive: true, force: true });
  });
  const { signal } = new AbortController();
  const isKnown = hasFfmpeg ? it : it.skip;
  const why = hasFfmpeg ? "" : " (skipped: no ffmpeg in PATH)";

  isKnown.each(["tone.m4a", "tone-vorbis.ogg"])(`reads %s, leaves no file${why}`, async (name) => {
    const bytes = audioFixture(name);
    expect(detectAudioFormat(bytes)).toBeNull();
    const samples = await collect(decodeWithFfmpeg(bytes, signal));
    expect(Math.abs(seconds(samples) - 1.5)).toBeLessThan(0.1);
    expect(dominantFrequency(samples)).toBe(440);
    expect(await readdir(folder)).toEqual([]);
  });

  isKnown(`refuses playlists, which name other files, and noise${why}`, async () => {
    const playlist = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n";
    for (const text of [playlist, "ffconcat version 1.0\nfile /etc/passwd\n", "\u0000\u0001noise"])
      await expect(
        collect(decodeWithFfmpeg(new TextEncoder().encode(text), signal)),
      ).rejects.toMatchObject({ fault: { code: "whisper.recording-damaged" } });
  });

  isKnown(`stops when aborted${why}`, async () => {
    const controller = new AbortController();
    const pieces = decodeWithFfmpeg(
      toneWav({ rate: 16_000, channels: 1, kind: "integer", bits: 16 }, { seconds: 600 }),
      controller.signal,
    );
    await pieces.next();
    controller.abort();
    await expect(collect(pieces)).rejects.toMatchObject({ name: "ProviderError" });
    expect(await readdir(folder)).toEqual([]);
  });

  it("tells ffmpeg none of the secrets in the environment", async () => {
    const seen = join(folder, "seen");
    const program = `#!/bin/sh\n/usr/bin/env > ${seen}\nprintf '\\0\\0\\0\\0'\n`;
    await writeFile(join(folder, "ffmpeg"), program, { mode: 0o755 });
    process.env.PATH = folder;
    process.env.CARREL_TEST_SECRET = "hidden";
    try {
      const samples = await collect(decodeWithFfmpeg(audioFixture("tone.m4a"), signal));
      expect([...samples]).toEqual([0]);
    } finally {
      delete process.env.CARREL_TEST_SECRET;
    }
    const names = (await readFile(seen, "utf8")).match(/^\w+(?==)/gm);
    expect(names).toContain("PATH");
    // The shell sets the last two itself.
    for (const name of names!) expect(["PATH", "LD_LIBRARY_PATH", "PWD", "_"]).toContain(name);
  });

  it("says which formats work if there is no ffmpeg", async () => {
    process.env.PATH = "";
    await expect(collect(decodeWithFfmpeg(audioFixture("tone.m4a"), signal))).rejects.toMatchObject(
      {
        name: "ProviderError",
        kind: "invalid",
        isRetryable: false,
        fault: { code: "whisper.ffmpeg-missing" },
        message: expect.stringContaining("WAV, MP3, FLAC and Ogg Opus"),
      },
    );
    expect(await readdir(folder)).toEqual([]);
  });
});
