import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { answerTokens, type FakeBehaviour } from "./behaviour.ts";
import { fakeEmbedding } from "./fake-embedding.ts";
import { TokenClock } from "./token-clock.ts";
import { anthropicWire } from "./wire-anthropic.ts";
import { ollamaTags, ollamaWire } from "./wire-ollama.ts";
import { openAiChatWire, openAiResponsesWire, readOpenAiEmbeddingInput } from "./wire-openai.ts";
import { countPromptTokens, type FakeWire } from "./wire.ts";

export interface FakeLlmOptions extends FakeBehaviour {
  port?: number;
  /** If set, requests must carry it (Bearer, or x-api-key for Anthropic), otherwise 401. */
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
  /** Queues behaviours for the next requests, before the default one applies again. */
  next(...behaviours: FakeBehaviour[]): void;
  /** Changes the default behaviour. */
  behave(behaviour: FakeBehaviour): void;
  /** Number of open streams. */
  openStreams(): number;
  stop(): Promise<void>;
}

/** The vendors' published messages for a prompt beyond the context window. */
const tooLong = {
  "openai-chat": {
    message:
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
    code: "context_length_exceeded",
  },
  "openai-responses": {
    message:
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
    code: "context_length_exceeded",
  },
  anthropic: { message: "prompt is too long: 208310 tokens > 200000 maximum" },
  ollama: { message: "the input length exceeds the context length" },
};
/** Part of the instructions that request a title (services/chat). */
const titleMark = "a title of at most six words";
/** Part of the instructions that request memories. */
const memoryMark = "short notes about the person";
const wires: Record<string, FakeWire> = {
  "/v1/chat/completions": openAiChatWire,
  "/v1/responses": openAiResponsesWire,
  "/v1/messages": anthropicWire,
  "/api/chat": ollamaWire,
};
const modelIds = [
  "gpt-4.1-nano",
  "gpt-4o",
  "gpt-4o-audio-preview",
  "o3-mini",
  "ft:gpt-4o-mini:mine::abc",
  "text-embedding-3-small",
  "dall-e-3",
  "whisper-1",
];
const anthropicModels = [
  { id: "claude-sonnet-4-6", display_name: "Claude Sonnet 4.6" },
  { id: "claude-haiku-4-5", display_name: "Claude Haiku 4.5" },
];

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
 * A loopback server that speaks OpenAI chat completions and Responses, Anthropic Messages and
 * Ollama, with models and embeddings. Also controllable over HTTP: POST /fake/behave and /fake/next
 * with a behaviour as JSON.
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
  const clock = new TokenClock();
  const sockets = new Set<Socket>();
  let open = 0;

  const json = (
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ) => {
    const text = JSON.stringify(body);
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      ...headers,
    });
    response.end(text);
  };

  const streamAnswer = (
    wire: FakeWire,
    question: ReturnType<FakeWire["read"]>,
    behaviour: FakeBehaviour,
    response: ServerResponse,
  ) => {
    const tokens = answerTokens(behaviour, question.lastMessage);
    const writer = wire.writer(question);
    const usage =
      behaviour.usage === false
        ? null
        : { inputTokens: question.promptTokens, outputTokens: tokens.length };
    response.writeHead(200, {
      "content-type": wire.contentType,
      "cache-control": "no-cache",
      "x-request-id": "req_fake",
    });
    let sent = 0;
    let over = false;
    open++;
    response.on("close", () => {
      over = true;
      open--;
    });
    const opening =
      writer.start(usage) +
      (behaviour.reasoning ?? []).map((text) => writer.reasoning(text)).join("");
    if (opening) response.write(opening);
    else response.flushHeaders();
    const delay = behaviour.delayMs ?? 0;
    const startedAt = performance.now() + (behaviour.firstDelayMs ?? 0);
    const limit = Math.min(
      tokens.length,
      behaviour.breakAfter ?? Infinity,
      behaviour.endAfter ?? Infinity,
      behaviour.malformedAfter ?? Infinity,
      behaviour.errorAfter ?? Infinity,
      typeof behaviour.hang === "number" ? behaviour.hang : Infinity,
    );
    const step = () => {
      if (over) return;
      // A late tick sends everything due in one write, as a real server's socket would.
      const due =
        delay === 0
          ? limit
          : Math.min(limit, Math.floor((performance.now() - startedAt) / delay) + 1);
      let data = "";
      while (sent < due) data += writer.text(tokens[sent++]!);
      if (sent < limit) {
        if (data) response.write(data);
        clock.at(startedAt + sent * delay, step);
        return;
      }
      if (typeof behaviour.hang === "number") {
        if (data) response.write(data);
        return;
      }
      if (behaviour.breakAfter !== undefined) {
        response.write(data || "\n", () => response.destroy());
        return;
      }
      if (behaviour.endAfter !== undefined) {
        response.end(data);
        return;
      }
      if (behaviour.malformedAfter !== undefined) {
        response.end(data + wire.malformed);
        return;
      }
      if (behaviour.errorAfter !== undefined) {
        response.end(data + writer.error("The fake vendor broke off."));
        return;
      }
      response.end(data + writer.end(behaviour.finishReason ?? "stop", usage));
    };
    if (delay === 0 && !behaviour.firstDelayMs) step();
    else clock.at(startedAt, step);
  };

  const answer = async (
    wire: FakeWire,
    body: Record<string, unknown>,
    behaviour: FakeBehaviour,
    response: ServerResponse,
  ) => {
    const question = wire.read(body);
    if (question.stream) return streamAnswer(wire, question, behaviour, response);
    const tokens = answerTokens(behaviour, question.lastMessage);
    const ms = (behaviour.firstDelayMs ?? 0) + tokens.length * (behaviour.delayMs ?? 0);
    if (ms > 0) await wait(ms, undefined, { ref: false });
    const usage =
      behaviour.usage === false
        ? null
        : { inputTokens: question.promptTokens, outputTokens: tokens.length };
    json(
      response,
      200,
      wire.whole(
        question,
        tokens.join(""),
        (behaviour.reasoning ?? []).join(""),
        behaviour.finishReason ?? "stop",
        usage,
      ),
    );
  };

  const embed = async (
    path: string,
    body: Record<string, unknown>,
    behaviour: FakeBehaviour,
    response: ServerResponse,
  ) => {
    const texts = readOpenAiEmbeddingInput(body);
    const length = typeof body.dimensions === "number" ? body.dimensions : dimensions;
    const vectors = texts.map((text) => fakeEmbedding(text, length));
    if (behaviour.embeddingDelayMs)
      await wait(behaviour.embeddingDelayMs, undefined, { ref: false });
    const tokens = countPromptTokens(texts);
    if (path === "/api/embed")
      return json(response, 200, {
        model: body.model,
        embeddings: vectors.map((vector) => [...vector]),
        total_duration: 1_000_000,
        load_duration: 100_000,
        prompt_eval_count: tokens,
      });
    const data = vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding:
        body.encoding_format === "base64"
          ? Buffer.from(vector.buffer).toString("base64")
          : [...vector],
    }));
    return json(response, 200, {
      object: "list",
      data,
      model: body.model,
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    });
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const path = new URL(request.url ?? "/", "http://fake").pathname;
    const body = await readBody(request);
    if (path === "/fake/behave") {
      standing = body as FakeBehaviour;
      return json(response, 200, {});
    }
    if (path === "/fake/next") {
      queue.push(body as FakeBehaviour);
      return json(response, 200, {});
    }
    if (path === "/fake/state")
      return json(response, 200, { openStreams: open, requests: requests.length });
    const record: FakeRequest = {
      method: request.method ?? "",
      path,
      headers: request.headers,
      body,
      aborted: false,
    };
    // Titles and memories are requested alongside answers at any time, so a test's behaviour for
    // answers does not apply to them.
    const isTitle = JSON.stringify(body).includes(titleMark);
    const isMemory = JSON.stringify(body).includes(memoryMark);
    const kept = isTitle ? titleRequests : isMemory ? memoryRequests : requests;
    kept.push(record);
    if (kept.length > keep) kept.shift();
    response.on("close", () => {
      record.aborted = !response.writableEnded;
    });
    const wire = wires[path];
    const behaviour = isTitle
      ? (standing.title ?? { reply: "" })
      : isMemory
        ? (standing.memories ?? { reply: "[]" })
        : (queue.shift() ?? standing);
    const fault =
      wire ??
      (path.startsWith("/api/")
        ? ollamaWire
        : request.headers["x-api-key"]
          ? anthropicWire
          : openAiChatWire);
    if (
      apiKey !== undefined &&
      request.headers.authorization !== `Bearer ${apiKey}` &&
      request.headers["x-api-key"] !== apiKey
    )
      return json(response, 401, fault.errorBody(401, undefined));
    if (behaviour.hang === "headers") return undefined;
    // Real error messages: llama.cpp's and Ollama's for images without a vision model, and those of
    // OpenAI-compatible servers for prompts beyond the window.
    if (
      wire &&
      behaviour.refusesImages !== undefined &&
      /"(?:image_url|input_image|images|image)"/.test(JSON.stringify(body))
    ) {
      return json(
        response,
        behaviour.refusesImages,
        wire.errorBody(behaviour.refusesImages, {
          message:
            "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
        }),
      );
    }
    if (
      wire &&
      behaviour.promptLimit !== undefined &&
      JSON.stringify(body).length > behaviour.promptLimit
    )
      return json(response, 400, wire.errorBody(400, tooLong[wire.protocol]));
    if (behaviour.status !== undefined) {
      return json(
        response,
        behaviour.status,
        fault.errorBody(behaviour.status, behaviour.error),
        behaviour.retryAfter === undefined ? {} : { "retry-after": String(behaviour.retryAfter) },
      );
    }
    // This version removed sampling parameters; 2023-06-01 still accepts them.
    if (
      wire === anthropicWire &&
      request.headers["anthropic-version"] !== "2023-06-01" &&
      "temperature" in body
    )
      return json(
        response,
        400,
        fault.errorBody(400, { message: "temperature: Extra inputs are not permitted" }),
      );
    if (request.method === "POST" && wire) return answer(wire, body, behaviour, response);
    if (request.method === "POST" && (path === "/v1/embeddings" || path === "/api/embed"))
      return embed(path, body, behaviour, response);
    if (path === "/v1/models") {
      if (request.headers["anthropic-version"])
        return json(response, 200, {
          data: anthropicModels.map((model) => ({
            type: "model",
            created_at: "2026-02-01T00:00:00Z",
            ...model,
          })),
          has_more: false,
          first_id: anthropicModels[0]!.id,
          last_id: anthropicModels.at(-1)!.id,
        });
      return json(response, 200, {
        object: "list",
        data: (models ?? modelIds).map((id) => ({
          id,
          object: "model",
          created: 1_763_689_200,
          owned_by: "fake",
        })),
      });
    }
    if (path === "/api/tags")
      return json(response, 200, ollamaTags(models ?? ["llama3:latest", "qwen3:8b"]));
    if (path === "/api/show")
      return json(response, 200, {
        details: { family: "llama" },
        model_info: {
          "general.architecture": "llama",
          "llama.context_length": contextLength,
          "llama.embedding_length": dimensions,
        },
        capabilities: standing.capabilities ?? ["completion"],
      });
    return json(
      response,
      404,
      fault.errorBody(404, { message: `Invalid URL (${request.method} ${path})` }),
    );
  };

  const server = createServer({ keepAlive: true, noDelay: true }, (request, response) => {
    handle(request, response).catch((fault: unknown) => {
      // Only reached if the client disconnects while its body is read, so there is nobody to
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
    openStreams: () => open,
    stop: () =>
      new Promise<void>((resolve) => {
        clock.stop();
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
