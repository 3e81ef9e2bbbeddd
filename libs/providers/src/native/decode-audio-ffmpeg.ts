import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "@carrel/config";
import { ProviderError } from "../spec/provider-error.ts";
import { maxSeconds } from "./decoded-audio.ts";

/** Audio containers, but no playlists: those name other files, which an attacker could choose. */
const formats = "aac,aiff,amr,asf,avi,caf,flac,matroska,mov,mp3,mpeg,mpegts,ogg,wav";
const maxCpuSeconds = 15 * 60;
const maxAllocation = 256 * 1024 * 1024;

const options = (file: string): string[] => [
  ...["-nostdin", "-hide_banner", "-loglevel", "error", "-timelimit", String(maxCpuSeconds)],
  ...["-max_alloc", String(maxAllocation), "-threads", "1"],
  ...["-protocol_whitelist", "file,pipe", "-format_whitelist", formats, "-i", file],
  ...["-map", "0:a:0", "-ac", "1", "-ar", "16000", "-t", String(maxSeconds + 1)],
  ...["-c:a", "pcm_f32le", "-f", "f32le", "pipe:1"],
];

/**
 * The recording as mono at 16 kHz, decoded by the ffmpeg in PATH while the pieces are read. Throws
 * ProviderError if there is no ffmpeg or it can't read the recording.
 */
export async function* decodeWithFfmpeg(
  bytes: Uint8Array,
  signal: AbortSignal,
): AsyncGenerator<Float32Array> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-recording-"));
  try {
    // A file, because MP4 often has its index at the end and ffmpeg must seek.
    const file = join(folder, "recording");
    await writeFile(file, bytes, { signal });
    yield* read(file, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* read(file: string, signal: AbortSignal): AsyncGenerator<Float32Array> {
  const child = spawn("ffmpeg", options(file), {
    env: childEnvironment(),
    stdio: ["ignore", "pipe", "ignore"],
    signal,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  ended.catch(() => undefined); // awaited below
  try {
    let rest = Buffer.alloc(0);
    for await (const piece of child.stdout as AsyncIterable<Buffer>) {
      const joined = Buffer.concat([rest, piece]);
      const whole = joined.length - (joined.length % 4);
      rest = joined.subarray(whole);
      // A copy, because samples need an aligned buffer and the reader takes ownership of it.
      yield new Float32Array(new Uint8Array(joined.subarray(0, whole)).buffer);
    }
    if ((await ended) !== 0)
      throw new ProviderError({ code: "whisper.recording-damaged" }, { kind: "invalid" });
  } catch (fault) {
    if (fault instanceof ProviderError) throw fault;
    const isMissing = (fault as NodeJS.ErrnoException).code === "ENOENT";
    throw isMissing
      ? new ProviderError({ code: "whisper.ffmpeg-missing" }, { kind: "invalid", cause: fault })
      : new ProviderError({ code: "whisper.recording-damaged" }, { kind: "invalid", cause: fault });
  } finally {
    child.kill("SIGKILL");
  }
}
