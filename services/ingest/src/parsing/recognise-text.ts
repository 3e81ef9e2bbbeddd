import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Line, Worker, WorkerParams } from "tesseract.js";
import { UnreadableError } from "./parsed-document.ts";

/** How text in pictures is recognised. */
export interface Recognition {
  /** Tesseract's codes: eng, deu, chi_sim. */
  languages: string[];
  /**
   * A folder of `<code>.traineddata` (or .gz) files, searched before the npm packages; it need not
   * exist.
   */
  dataFolder: string | null;
  /** Page limit per document. */
  maxPages: number;
}

/** A word with its bounding box in pixels, origin at the picture's upper left. */
export interface RecognisedWord {
  text: string;
  left: number;
  top: number;
  right: number;
  bottom: number;
}
/**
 * Words on one line; `height` is its letters' height including ascenders and descenders, in pixels.
 */
export interface RecognisedLine {
  words: RecognisedWord[];
  top: number;
  bottom: number;
  height: number;
}

/** What was recognised in a picture. */
export interface RecognisedText {
  lines: RecognisedLine[];
  /** Tesseract's mean confidence, 0 to 100, in all that it took for letters. */
  confidence: number;
  /** Number of those letters. */
  letters: number;
}

/** Minimum Tesseract confidence (0 to 100); below it, Tesseract saw shapes rather than letters. */
const minConfidence = 35;

function findData(language: string, dataFolder: string | null): string | null {
  for (const name of dataFolder === null
    ? []
    : [`${language}.traineddata`, `${language}.traineddata.gz`]) {
    if (existsSync(path.join(dataFolder!, name))) return path.join(dataFolder!, name);
  }
  try {
    const folder = path.dirname(
      createRequire(import.meta.url).resolve(`@tesseract.js-data/${language}/package.json`),
    );
    // The LSTM engine's integer models: a quarter of the size, with the same results.
    const file = path.join(folder, "4.0.0_best_int", `${language}.traineddata.gz`);
    return existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

/** This thread's Tesseract worker, started at the first picture and ended with the thread. */
let running: { key: string; worker: Promise<Worker> } | null = null;

async function start({ languages, dataFolder }: Recognition): Promise<Worker> {
  const files = languages.map((language) => [language, findData(language, dataFolder)] as const);
  const missing = files.find(([, file]) => file === null)?.[0];
  if (missing !== undefined) {
    throw new UnreadableError(
      { code: "file.recognition-data-missing", params: { language: missing } },
      { curable: true },
    );
  }
  const { createWorker, OEM } = await import("tesseract.js");
  // Tesseract reads all languages from this one folder, so nothing is downloaded.
  const folder = await mkdtemp(path.join(tmpdir(), "carrel-ocr-"));
  try {
    for (const [language, file] of files)
      await symlink(file!, path.join(folder, `${language}.traineddata.gz`));
    // Without an error handler, tesseract.js throws errors where they can't be caught.
    const worker = await createWorker(languages, OEM.LSTM_ONLY, {
      langPath: folder,
      cacheMethod: "none",
      gzip: true,
      errorHandler: () => undefined,
    });
    // Pictures rarely state their resolution, and Tesseract would report that on the console each
    // time.
    await worker.setParameters({
      user_defined_dpi: "200",
      debug_file: "/dev/null",
    } as Partial<WorkerParams>);
    (worker as unknown as { worker: { unref(): void } }).worker.unref();
    return worker;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Lines of an upright picture (PNG) in reading order. `isUneven`: it is darker at one side. Throws
 * UnreadableError if a language has no data.
 */
export async function recogniseText(
  picture: Buffer,
  recognition: Recognition,
  { isUneven = false } = {},
): Promise<RecognisedText> {
  const key = recognition.languages.join("+");
  if (running?.key !== key) {
    await stopRecognition();
    running = { key, worker: start(recognition) };
    running.worker.catch(() => {
      running = null;
    });
  }
  const worker = await running.worker;
  // An idle worker must not keep the thread alive, but a busy one must.
  const thread = (worker as unknown as { worker: { ref(): void; unref(): void } }).worker;
  thread.ref();
  try {
    if (isUneven) await setThreshold(worker, "adaptive");
    const { data } = await worker.recognize(picture, {}, { blocks: true, text: false });
    const lines = (data.blocks ?? [])
      .flatMap((block) => block.paragraphs)
      .flatMap((paragraph) => paragraph.lines);
    const words = lines.flatMap((line) => line.words).filter((word) => word.text.trim() !== "");
    const letters = words.reduce((sum, word) => sum + word.text.length, 0);
    return {
      lines: lines.map(toLine).filter((line) => line.words.length > 0),
      letters,
      confidence:
        words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) /
        Math.max(1, letters),
    };
  } finally {
    if (isUneven) await setThreshold(worker, "global");
    thread.unref();
  }
}

/**
 * What separates ink from paper: one brightness for the page, or the brightness of the
 * surroundings.
 */
async function setThreshold(worker: Worker, kind: "global" | "adaptive"): Promise<void> {
  await worker.setParameters({
    thresholding_method: kind === "global" ? "0" : "2",
  } as Partial<WorkerParams>);
}

function toLine(line: Line): RecognisedLine {
  return {
    words: line.words
      .filter((word) => word.confidence >= minConfidence && word.text.trim() !== "")
      .map(({ text, bbox }) => ({
        text: text.trim(),
        left: bbox.x0,
        top: bbox.y0,
        right: bbox.x1,
        bottom: bbox.y1,
      })),
    top: line.bbox.y0,
    bottom: line.bbox.y1,
    height: line.rowAttributes.rowHeight || line.bbox.y1 - line.bbox.y0,
  };
}

/** Ends this thread's worker, if there is one. */
export async function stopRecognition(): Promise<void> {
  const stopping = running;
  running = null;
  await stopping?.worker.then(
    (worker) => worker.terminate(),
    () => undefined,
  );
}
