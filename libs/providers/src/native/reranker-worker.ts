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
  question: string;
  texts: string[];
}

const port = parentPort;
if (!port) throw new Error("this file must run as a worker thread");
const { modelPath, tokenizerPath, maxTokens } = workerData as Start;
/** Pairs of one run are padded to the longest. */
const pairsInRun = 8;
/** The question gets at most this share of a pair. */
const questionPart = 0.5;

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
const session = await ort.InferenceSession.create(modelPath, {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  graphOptimizationLevel: "all",
  enableCpuMemArena: false,
  logSeverityLevel: 3,
});

/**
 * Truncates a text to this many tokens, by its share of characters, so that the pair keeps its
 * closing token.
 */
function cut(text: string, tokens: number): string {
  const count = tokenizer.encode(text, { add_special_tokens: false }).ids.length;
  return count <= tokens
    ? text
    : text.slice(0, Math.max(1, Math.floor(((text.length * tokens) / count) * 0.95)));
}

interface Pair {
  ids: number[];
  types: number[];
}
function encode(question: string, text: string): Pair {
  const room = maxTokens - 4;
  const asked = cut(question, Math.floor(room * questionPart));
  const left = room - tokenizer.encode(asked, { add_special_tokens: false }).ids.length;
  const { ids, token_type_ids: types } = tokenizer.encode(asked, {
    text_pair: cut(text, left),
    return_token_type_ids: true,
  });
  return { ids: ids.slice(0, maxTokens), types: types.slice(0, maxTokens) };
}

async function run(pairs: Pair[]): Promise<number[]> {
  const width = Math.max(...pairs.map(({ ids }) => ids.length));
  const shape = [pairs.length, width];
  const [ids, mask, types] = [
    new BigInt64Array(pairs.length * width),
    new BigInt64Array(pairs.length * width),
    new BigInt64Array(pairs.length * width),
  ];
  for (const [row, pair] of pairs.entries()) {
    for (const [column, id] of pair.ids.entries()) {
      ids[row * width + column] = BigInt(id);
      mask[row * width + column] = 1n;
      types[row * width + column] = BigInt(pair.types[column] ?? 0);
    }
  }
  const feeds: Record<string, ort.Tensor> = {
    input_ids: new ort.Tensor("int64", ids, shape),
    attention_mask: new ort.Tensor("int64", mask, shape),
  };
  if (session.inputNames.includes("token_type_ids"))
    feeds.token_type_ids = new ort.Tensor("int64", types, shape);
  const logits = (await session.run(feeds))[session.outputNames[0]!]!;
  const columns = logits.dims[1] ?? 1;
  const values = Array.from(logits.data as Float32Array);
  logits.dispose();
  // In models with two columns the last one means "answers"; the sigmoid maps its logit to 0 to 1.
  return pairs.map((_, row) => 1 / (1 + Math.exp(-values[row * columns + columns - 1]!)));
}

async function score({ question, texts }: Work): Promise<number[]> {
  const encoded = texts
    .map((text, place) => ({ place, pair: encode(question, text) }))
    .sort((a, b) => a.pair.ids.length - b.pair.ids.length);
  const scores = new Array<number>(texts.length);
  for (let start = 0; start < encoded.length; start += pairsInRun) {
    const some = encoded.slice(start, start + pairsInRun);
    for (const [index, value] of (await run(some.map(({ pair }) => pair))).entries())
      scores[some[index]!.place] = value;
  }
  return scores;
}

port.on("message", (work: Work | { end: true }) => {
  if ("end" in work) process.exit(); // between two calls of the model
  score(work).then(
    (scores) => port.postMessage({ id: work.id, scores }),
    (fault: unknown) =>
      port.postMessage({
        id: work.id,
        fault: fault instanceof Error ? fault.message : String(fault),
      }),
  );
});
