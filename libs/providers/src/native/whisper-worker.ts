// Runs in a worker thread. In development and tests Node itself strips the types, so the files it
// imports use only erasable syntax.
import { parentPort, workerData, type MessagePort } from "node:worker_threads";
import type { AudioFormat } from "./decode-audio-wav.ts";
import { decodeAudio, limited } from "./decode-audio.ts";
import { AudioFault } from "./decoded-audio.ts";
import { loadSpeech } from "./whisper-speech.ts";

interface Start {
  modelsDir: string;
  folder: string;
  threads: number;
}
/** A recording to decode here, or the pieces that ffmpeg decodes. */
type Work = { id: number } & ({ bytes: Uint8Array; format: AudioFormat } | { pieces: MessagePort });

const port = parentPort;
if (!port) throw new Error("this file must run as a worker thread");

/**
 * The decoders log every oddity of a file; the fault has what matters. They also repeat some failed
 * reads forever, so a recording with too many log lines is stopped.
 */
const maxComplaints = 1_000;
let complaints = 0;
for (const name of ["log", "info", "warn", "debug"] as const) console[name] = () => undefined;
console.error = () => {
  if (++complaints > maxComplaints) throw new AudioFault("whisper.recording-damaged");
};

/** Asks for one piece at a time, so that ffmpeg waits for the model. */
async function* receive(pieces: MessagePort): AsyncGenerator<Float32Array> {
  for (;;) {
    const next = new Promise<Float32Array | null>((resolve) => pieces.once("message", resolve));
    pieces.postMessage("next");
    const piece = await next;
    if (piece === null) return;
    yield piece;
  }
}

const { modelsDir, folder, threads } = workerData as Start;
const speech = await loadSpeech(modelsDir, folder, threads);

port.on("message", (work: Work | { end: true }) => {
  if ("end" in work) process.exit(); // between two calls of the model
  const { id } = work;
  complaints = 0;
  const pieces =
    "pieces" in work ? limited(receive(work.pieces)) : decodeAudio(work.bytes, work.format);
  speech
    .transcribe(pieces, (seconds) => port.postMessage({ id, seconds }))
    .then(
      (segments) => port.postMessage({ id, segments }),
      (fault: unknown) =>
        port.postMessage(
          fault instanceof AudioFault
            ? { id, code: fault.code }
            : { id, details: fault instanceof Error ? fault.message : String(fault) },
        ),
    );
});
