// Runs as a separate process. In development and tests Node itself strips the types, so only
// erasable syntax, and relative imports of files that have no other.
import { writeFileSync } from "node:fs";
import {
  LlamaChat,
  LlamaLogLevel,
  getLlama,
  resolveChatWrapper,
  type ChatModelFunctions,
  type ChatWrapper,
  type LlamaChatResponseChunk,
  type LlamaContextSequence,
  type LlamaGrammar,
  type Token,
} from "node-llama-cpp";
import { forceCall } from "./force-call.ts";
import type {
  FromGgufProcess,
  GgufFigures,
  GgufRequest,
  GgufStart,
  ToGgufProcess,
} from "./gguf-protocol.ts";
import { grammarSchema } from "./grammar-schema.ts";

/** Ends at once: llama.cpp may be computing, and there is nothing to save. */
const end = (): void => void process.kill(process.pid, "SIGKILL");
if (!process.send) throw new Error("this file must run as a child process");
process.on("disconnect", end);
if (!process.connected) end(); // the service has ended during the imports

const send = (message: FromGgufProcess): void => void process.send?.(message, () => undefined);
const detailsOf = (fault: unknown): string =>
  fault instanceof Error ? fault.message : String(fault);

/** If memory runs out, Linux ends this process rather than the database. */
function volunteerForMemory(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // not Linux, or not permitted
  }
}

/** Sampling that suits small models, which repeat themselves when always taking the likeliest. */
const sampling = { temperature: 0.6, topP: 0.95, topK: 40, minP: 0.05 };
/**
 * The next answer waits for one slice of a stopped prompt at most, so slices take about this long.
 * Short ones cost as much per token as writing does.
 */
const sliceMs = 400;
const slices = { first: 64, least: 64, most: 512 };
const mostGrammars = 16;

const start = JSON.parse(process.argv[2] ?? "") as GgufStart;

async function load() {
  volunteerForMemory();
  const llama = await getLlama({
    gpu: false,
    build: "never",
    skipDownload: true,
    usePrebuiltBinaries: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    maxThreads: start.threads,
  });
  // The service has planned the memory.
  const model = await llama.loadModel({
    modelPath: start.path,
    gpuLayers: 0,
    ignoreMemorySafetyChecks: true,
  });
  const context = await model.createContext({
    contextSize: start.context,
    sequences: start.conversations,
    threads: start.threads,
    batchSize: Math.min(start.context, slices.most),
    ignoreMemorySafetyChecks: true,
  });
  const sequences = Array.from({ length: start.conversations }, () => context.getSequence());
  return { llama, model, sequences, wrapper: resolveChatWrapper(model) };
}
type Loaded = Awaited<ReturnType<typeof load>>;

const grammars = new Map<string, Promise<LlamaGrammar>>();
function grammarFor({ llama }: Loaded, schema: object): Promise<LlamaGrammar> {
  const key = JSON.stringify(schema);
  const known = grammars.get(key) ?? llama.createGrammarForJsonSchema(grammarSchema(schema));
  grammars.delete(key);
  grammars.set(key, known);
  if (grammars.size > mostGrammars) grammars.delete(grammars.keys().next().value!);
  return known;
}

/** Most recently used last. */
const used: LlamaContextSequence[] = [];

/**
 * The conversation that shares the longest beginning with the prompt; if none shares more than the
 * instructions, the one that was used longest ago.
 */
function chooseSequence({ sequences }: Loaded, tokens: Token[]): LlamaContextSequence {
  const idle = sequences.filter((sequence) => !used.includes(sequence));
  let chosen = idle[0] ?? used[0]!;
  let longest = -1;
  for (const sequence of used) {
    const shared = sequence.compareContextTokens(tokens).firstDifferentIndex;
    // Another conversation with the same instructions shouldn't lose its documents.
    if (shared > longest && shared > sequence.nextTokenIndex / 2) {
      longest = shared;
      chosen = sequence;
    }
  }
  const place = used.indexOf(chosen);
  if (place >= 0) used.splice(place, 1);
  used.push(chosen);
  return chosen;
}

let slice = slices.first;
/** Evaluates the prompt in slices, because llama.cpp can't be interrupted within a batch. */
async function readPrompt(
  sequence: LlamaContextSequence,
  tokens: Token[],
  signal: AbortSignal,
): Promise<number> {
  await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
  const cached = sequence.nextTokenIndex;
  for (let at = cached; at < tokens.length - 1;) {
    signal.throwIfAborted();
    const before = performance.now();
    const next = tokens.slice(at, Math.min(at + slice, tokens.length - 1));
    await sequence.evaluateWithoutGeneratingNewTokens(next);
    at += next.length;
    const took = (performance.now() - before) / next.length;
    const wanted = Math.max(slices.least, Math.min(slices.most, Math.round(sliceMs / took)));
    slice = Math.min(slice * 2, wanted);
  }
  signal.throwIfAborted();
  return cached;
}

function functionsOf(request: GgufRequest): ChatModelFunctions | undefined {
  if (request.functions.length === 0) return undefined;
  return Object.fromEntries(
    request.functions.map(({ name, description, schema }) => [
      name,
      { description, params: grammarSchema(schema) },
    ]),
  );
}

async function answer(
  loaded: Loaded,
  id: number,
  request: GgufRequest,
  signal: AbortSignal,
): Promise<FromGgufProcess> {
  const { model, wrapper } = loaded;
  const functions = functionsOf(request);
  const chatWrapper: ChatWrapper = request.mustCall ? forceCall(wrapper) : wrapper;
  const { contextText } = chatWrapper.generateContextState({
    chatHistory: request.history,
    ...(functions && { availableFunctions: functions, documentFunctionParams: true }),
  });
  const tokens = contextText.tokenize(model.tokenizer);
  const room = start.context - tokens.length - 1;
  if (room < 1) return { type: "too-long", id, limit: start.context };

  const begun = performance.now();
  const sequence = chooseSequence(loaded, tokens);
  const cachedTokens = await readPrompt(sequence, tokens, signal);
  const before = sequence.tokenMeter.getState();
  let firstAt = 0;
  let reasoningTokens = 0;
  const chat = new LlamaChat({ contextSequence: sequence, chatWrapper });
  const options = {
    signal,
    maxTokens: Math.min(room, request.maxTokens ?? room),
    ...sampling,
    ...(request.temperature !== null && { temperature: request.temperature }),
    ...(request.topP !== null && { topP: request.topP }),
    trimWhitespaceSuffix: request.schema !== null,
    onResponseChunk: ({ type, segmentType, text, tokens: generated }: LlamaChatResponseChunk) => {
      firstAt ||= performance.now();
      const isReasoning = type === "segment" && segmentType === "thought";
      if (isReasoning) reasoningTokens += generated.length;
      if (text !== "") send({ type: isReasoning ? "reasoning" : "text", id, text });
    },
  };
  try {
    const { metadata, functionCalls = [] } = await (functions === undefined
      ? chat.generateResponse(request.history, {
          ...options,
          ...(request.schema !== null && { grammar: await grammarFor(loaded, request.schema) }),
        })
      : chat.generateResponse(request.history, {
          ...options,
          functions,
          documentFunctionParams: true,
          ...(!request.parallelCalls && { maxParallelFunctionCalls: 1 }),
          onFunctionCallParamsChunk: ({ callIndex, functionName, paramsChunk, done }) => {
            firstAt ||= performance.now();
            send({
              type: "call",
              id,
              index: callIndex,
              name: functionName,
              text: paramsChunk,
              done,
            });
          },
        }));
    const ended = performance.now();
    const figures: GgufFigures = {
      promptTokens: tokens.length,
      cachedTokens,
      answerTokens: sequence.tokenMeter.diff(before).usedOutputTokens,
      reasoningTokens,
      promptMs: (firstAt || ended) - begun,
      answerMs: ended - (firstAt || ended),
    };
    const reason =
      functionCalls.length > 0
        ? "tool-calls"
        : metadata.stopReason === "maxTokens"
          ? "length"
          : "stop";
    return { type: "done", id, reason, figures };
  } finally {
    chat.dispose({ disposeSequence: false });
  }
}

const stops = new Map<number, AbortController>();
load().then(
  (loaded) => {
    process.on("message", (message: ToGgufProcess) => {
      if (message.type === "stop") return stops.get(message.id)?.abort();
      const { id, request } = message;
      const stop = new AbortController();
      stops.set(id, stop);
      answer(loaded, id, request, stop.signal)
        .catch((fault: unknown): FromGgufProcess =>
          stop.signal.aborted
            ? { type: "stopped", id }
            : { type: "failed", id, details: detailsOf(fault) },
        )
        .then((reply) => {
          stops.delete(id);
          send(reply);
        });
    });
    send({ type: "loaded" });
  },
  (fault: unknown) => send({ type: "load-failed", details: detailsOf(fault) }),
);
