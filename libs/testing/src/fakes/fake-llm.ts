import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { FakeBehaviour } from "./behaviour.ts";
import { FakeAnswers } from "./fake-answers.ts";
import { findAudioRoute } from "./fake-audio.ts";
import { answerEmbedding, findEmbedder } from "./fake-embedder.ts";
import { sendImage } from "./fake-image.ts";
import {
  listAnthropicModels,
  listOllamaModels,
  listOpenAiModels,
  showOllamaModel,
} from "./fake-models.ts";
import { findRefusal } from "./fake-refusals.ts";
import { sendJson } from "./send-json.ts";
import { sendRaw } from "./send-raw.ts";
import { TokenClock } from "./token-clock.ts";
import { anthropicWire } from "./wire-anthropic.ts";
import { bedrockWire } from "./wire-bedrock.ts";
import { cohereWire } from "./wire-cohere.ts";
import { geminiWire } from "./wire-gemini.ts";
import { ollamaWire } from "./wire-ollama.ts";
import { openAiChatWire } from "./wire-openai-chat.ts";
import { openAiResponsesWire } from "./wire-openai-responses.ts";
import type { FakeWire } from "./wire.ts";

export interface FakeLlmOptions extends FakeBehaviour {
  port?: number;
  /**
   * If set, requests must carry it (Bearer, Token, x-api-key, x-goog-api-key or xi-api-key),
   * otherwise 401.
   */
  apiKey?: string;
  /** Model ids listed; by default a few of each vendor. */
  models?: string[];
  /** Length of the embedding vectors; default 384. */
  dimensions?: number;
  /** Context length that Ollama's /api/show reports; default 8192. */
  contextLength?: number;
  /** Number of latest requests kept in `requests`; default 1000. */
  keep?: number;
}

export interface FakeRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
  /** The client disconnected before the answer was complete. */
  aborted: boolean;
}

export interface FakeLlm {
  /** e.g. http://127.0.0.1:41234 ; OpenAI-compatible base paths are `${url}/v1`. */
  url: string;
  port: number;
  requests: FakeRequest[];
  /** Requests for a thread title; answered with `behaviour.title`, by default empty. */
  titleRequests: FakeRequest[];
  /** Requests to extract memories; answered with `behaviour.memories`, by default an empty list. */
  memoryRequests: FakeRequest[];
  /**
   * Queues behaviours for the next requests, before the default one applies again. A request for
   * the list of models takes one only if it refuses the request.
   */
  next(...behaviours: FakeBehaviour[]): void;
  /** Changes the default behaviour. */
  behave(behaviour: FakeBehaviour): void;
  /** Number of open streams. */
  openStreams(): number;
  stop(): Promise<void>;
}

/** Part of the instructions that request a title (services/chat). */
const titleMark = "a title of at most six words";
/** Part of the instructions that request memories. */
const memoryMark = "short notes about the person";
/** By the end of the path, because vendors put OpenAI's protocol below their own paths. */
const wires: readonly (readonly [string, FakeWire])[] = [
  ["/chat/completions", openAiChatWire],
  ["/v1/responses", openAiResponsesWire],
  ["/v1/messages", anthropicWire],
  ["/api/chat", ollamaWire],
  [":streamGenerateContent", geminiWire],
  ["/v2/chat", cohereWire],
  ["/converse-stream", bedrockWire],
];
const findWire = (path: string): FakeWire | undefined =>
  wires.find(([end]) => path.endsWith(end))?.[1];

/** The protocol whose error bodies to use for a path that isn't a chat. */
function protocolOf(path: string, headers: IncomingHttpHeaders): FakeWire {
  if (path.startsWith("/api/") && !path.startsWith("/api/v1/")) return ollamaWire;
  return headers["x-api-key"] ? anthropicWire : openAiChatWire;
}

const refuses = (behaviour: FakeBehaviour | undefined): boolean =>
  behaviour?.status !== undefined ||
  behaviour?.hang === "headers" ||
  behaviour?.raw !== undefined ||
  behaviour?.isOpen === true;

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString("utf8");
  if (text === "") return {};
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return { unreadable: text };
  }
}

/**
 * A loopback server that speaks OpenAI chat completions and Responses, Anthropic Messages, Ollama,
 * Gemini, Cohere and Bedrock, with models and embeddings. Also controllable over HTTP: POST
 * /fake/behave and /fake/next with a behaviour as JSON.
 */
export async function startFakeLlm(options: FakeLlmOptions = {}): Promise<FakeLlm> {
  const {
    port: wantedPort = 0,
    apiKey,
    models,
    dimensions = 384,
    contextLength = 8192,
    keep = 1000,
    ...firstBehaviour
  } = options;
  let standing: FakeBehaviour = firstBehaviour;
  const queue: FakeBehaviour[] = [];
  const requests: FakeRequest[] = [];
  const titleRequests: FakeRequest[] = [];
  const memoryRequests: FakeRequest[] = [];
  /** All requests so far, however many are kept. */
  let received = 0;
  /** Texts that embeddings were asked for. */
  let embedded = 0;
  const clock = new TokenClock();
  const answers = new FakeAnswers(clock);
  const sockets = new Set<Socket>();

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? "/", "http://fake").pathname;
    const body = await readBody(request);
    if (path === "/fake/behave") {
      standing = body as FakeBehaviour;
      return sendJson(response, 200, {});
    }
    if (path === "/fake/next") {
      queue.push(body as FakeBehaviour);
      return sendJson(response, 200, {});
    }
    if (path === "/fake/state")
      return sendJson(response, 200, {
        openStreams: answers.openStreams,
        requests: requests.length,
        received,
        embedded,
      });
    received++;
    const record: FakeRequest = {
      method: request.method ?? "",
      path,
      headers: request.headers,
      body,
      aborted: false,
    };
    // Titles and memories are requested alongside answers at any time, so a test's behaviour for
    // answers doesn't apply to them.
    const isTitle = JSON.stringify(body).includes(titleMark);
    const isMemory = JSON.stringify(body).includes(memoryMark);
    const kept = isTitle ? titleRequests : isMemory ? memoryRequests : requests;
    kept.push(record);
    if (kept.length > keep) kept.shift();
    response.on("close", () => {
      record.aborted = !response.writableEnded;
    });
    const wire = findWire(path);
    const embedder = findEmbedder(path);
    const audio = findAudioRoute(path);
    // Models may be listed at any time too, so only a refusal applies to that.
    const isAnswer = request.method === "POST" && path !== "/api/show";
    const next = (): FakeBehaviour => {
      const chosen = (isAnswer || refuses(queue[0]) ? queue.shift() : undefined) ?? standing;
      return chosen.choose?.(body) ?? chosen;
    };
    const behaviour = isTitle
      ? (standing.title ?? { reply: "" })
      : isMemory
        ? (standing.memories ?? { reply: "[]" })
        : next();
    const { errorBody } = wire ?? embedder ?? audio ?? protocolOf(path, request.headers);
    if (
      apiKey !== undefined &&
      behaviour.isOpen !== true &&
      request.headers.authorization !== `Bearer ${apiKey}` &&
      request.headers.authorization !== `Token ${apiKey}` &&
      request.headers["xi-api-key"] !== apiKey &&
      request.headers["x-api-key"] !== apiKey &&
      request.headers["x-goog-api-key"] !== apiKey
    )
      return sendJson(response, 401, errorBody(401, undefined));
    if (behaviour.hang === "headers") return undefined;
    const refusal = findRefusal(record, behaviour, wire, errorBody);
    if (refusal) return sendJson(response, refusal.status, refusal.body, refusal.headers);
    if (wire && behaviour.raw) return sendRaw(behaviour.raw, response);
    if (request.method === "POST" && wire) return answers.send(wire, body, behaviour, response);
    if (request.method === "POST" && audio) return audio.send(body, behaviour, response);
    if (request.method === "POST" && path === "/v1/images/generations") return sendImage(response);
    if (request.method === "POST" && embedder) {
      const { input } = body as { input?: unknown };
      embedded += Array.isArray(input) ? input.length : 1;
      await behaviour.after;
      if (behaviour.embeddingDelayMs)
        await wait(behaviour.embeddingDelayMs, undefined, { ref: false });
      return answerEmbedding(embedder, { body, path, dimensions, behaviour }, response);
    }
    const prepared = standing.replies?.[path];
    if (request.method === "GET" && prepared !== undefined)
      return sendJson(response, 200, prepared);
    if (path.endsWith("/models"))
      return sendJson(
        response,
        200,
        request.headers["anthropic-version"] ? listAnthropicModels() : listOpenAiModels(models),
      );
    if (path === "/api/tags") return sendJson(response, 200, listOllamaModels(models));
    if (path === "/api/show") {
      const { capabilities } = standing;
      return sendJson(response, 200, showOllamaModel({ contextLength, dimensions, capabilities }));
    }
    return sendJson(
      response,
      404,
      errorBody(404, { message: `Invalid URL (${request.method} ${path})` }),
    );
  };

  const server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
    handle(request, response).catch((fault: unknown) => {
      // Only reached if the client disconnects while its body is read, so there is no one to
      // answer.
      response.destroy(fault instanceof Error ? fault : undefined);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(wantedPort, "127.0.0.1", 4096, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    titleRequests,
    memoryRequests,
    next: (...behaviours) => {
      queue.push(...behaviours);
    },
    behave: (behaviour) => {
      standing = behaviour;
    },
    openStreams: () => answers.openStreams,
    stop: () =>
      new Promise<void>((resolve) => {
        clock.stop();
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
