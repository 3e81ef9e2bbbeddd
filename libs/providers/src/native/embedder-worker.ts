// Runs in a worker thread. In development and tests Node itself strips the types, so no relative
// imports and only erasable syntax.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { Tokenizer } from "@huggingface/tokenizers";
import ort from "onnxruntime-node";

interface Start {
  modelPath: string;
  tokenizerPath: string;
  maxTokens: number;
}
interface Work {
  id: number;
  texts: string[];
}

const port = parentPort;
if (!port) throw new Error("this file must run as a worker thread");
const { modelPath, tokenizerPath, maxTokens } = workerData as Start;

const readJson = (path: string): Record<string, unknown> =>
  JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
function readTokenizerConfig(): Record<string, unknown> {
  try {
    return readJson(join(dirname(tokenizerPath), "tokenizer_config.json"));
  } catch {
    return {}; // optional beside tokenizer.json, which has everything that encoding needs
  }
}

const tokenizer = new Tokenizer(readJson(tokenizerPath), readTokenizerConfig());
// One thread: two were slower on shared cores (measured). No arena, because it would never release
// its peak.
const session = await ort.InferenceSession.create(modelPath, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  enableCpuMemArena: false,
  logSeverityLevel: 3,
});
const output = session.outputNames.includes("last_hidden_state")
  ? "last_hidden_state"
  : session.outputNames[0]!;

function encode(text: string): number[] {
  const { ids } = tokenizer.encode(text);
  // Keeps the last token, which closes the sequence.
  return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ids.at(-1)!];
}

async function embed(texts: string[]): Promise<{ vectors: Float32Array; dimensions: number }> {
  const encoded = texts.map(encode);
  const rows = encoded.length;
  const width = Math.max(...encoded.map((ids) => ids.length));
  const ids = new BigInt64Array(rows * width);
  const mask = new BigInt64Array(rows * width);
  encoded.forEach((tokens, row) =>
    tokens.forEach((token, column) => {
      ids[row * width + column] = BigInt(token);
      mask[row * width + column] = 1n;
    }),
  );
  const shape = [rows, width];
  const feeds: Record<string, ort.Tensor> = {
    input_ids: new ort.Tensor("int64", ids, shape),
    attention_mask: new ort.Tensor("int64", mask, shape),
  };
  if (session.inputNames.includes("token_type_ids"))
    feeds.token_type_ids = new ort.Tensor("int64", new BigInt64Array(rows * width), shape);
  const hidden = (await session.run(feeds))[output]!;
  const states = hidden.data as Float32Array;
  const dimensions = hidden.dims[2]!;
  const vectors = new Float32Array(rows * dimensions);
  // Mean over the text's own tokens, normalised to unit length.
  encoded.forEach((tokens, row) => {
    const vector = vectors.subarray(row * dimensions, (row + 1) * dimensions);
    for (let column = 0; column < tokens.length; column++) {
      const at = (row * width + column) * dimensions;
      for (let place = 0; place < dimensions; place++) vector[place]! += states[at + place]!;
    }
    let length = 0;
    for (const value of vector) length += value * value;
    const scale = length > 0 ? 1 / Math.sqrt(length) : 0;
    for (let place = 0; place < dimensions; place++) vector[place]! *= scale;
  });
  hidden.dispose();
  return { vectors, dimensions };
}

port.on("message", (message: Work | { end: true }) => {
  if ("end" in message) process.exit(); // between two calls of the model
  const { id, texts } = message;
  embed(texts).then(
    ({ vectors, dimensions }) =>
      port.postMessage({ id, vectors, dimensions }, [vectors.buffer as ArrayBuffer]),
    (fault: unknown) =>
      port.postMessage({ id, fault: fault instanceof Error ? fault.message : String(fault) }),
  );
});
