import type { GenerationFrame } from "@carrel/contracts";
import "../../../../testing/texts.ts";
import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import i18next from "i18next";
import { storeTracing } from "../../../lib/trace.ts";
import chat from "../../../locales/en/chat.json" with { type: "json" };
import {
  describeStreamError,
  resumeStream,
  streamAnswer,
  type StreamListener,
} from "./generation-stream.ts";
import { applyFrame, newGeneration, type Generation } from "./generation.ts";

beforeAll(() =>
  i18next.init({
    lng: "en",
    resources: { en: { chat } },
    interpolation: { escapeValue: false },
  }),
);

type Part = { id?: number; frame: object } | "cut";
const encoder = new TextEncoder();
const generationId = "7f9c24e8-3b12-4fef-91e0-111111111111";
const started: Part = {
  id: 1,
  frame: { type: "generationStarted", generationId, chatId: 7, queued: false },
};
const chunk = (id: number | undefined, text: string, rest: object = {}): Part => ({
  ...(id === undefined ? {} : { id }),
  frame: {
    type: "textResponseChunk",
    uuid: "u",
    textResponse: text,
    sources: [],
    close: false,
    error: false,
    ...rest,
  },
});
const final = (id: number): Part => ({
  id,
  frame: {
    type: "finalizeResponseStream",
    uuid: "u",
    close: true,
    error: false,
    chatId: 7,
    metrics: {
      prompt_tokens: 1,
      completion_tokens: 2,
      total_tokens: 3,
      outputTps: 1,
      duration: 1,
      timestamp: "",
    },
  },
});

/**
 * A response as the browser would provide it; `cut` breaks the connection. Bytes are deliberately
 * split at odd places.
 */
function reply(parts: Part[], status = 200): Response {
  const steps = parts.flatMap((part): (Uint8Array | "cut")[] => {
    if (part === "cut") return ["cut"];
    const bytes = encoder.encode(
      `: beat\n\n${part.id === undefined ? "" : `id: ${part.id}\n`}data: ${JSON.stringify(part.frame)}\n\n`,
    );
    return [bytes.slice(0, 11), bytes.slice(11)];
  });
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const step = steps.shift();
      if (step === undefined) controller.close();
      else if (step === "cut") controller.error(new TypeError("network error"));
      else controller.enqueue(step);
    },
  });
  return {
    ok: status < 400,
    status,
    body,
    headers: new Headers(),
    text: async () => "",
  } as unknown as Response;
}

interface Sent {
  url: string;
  lastEventId: string | undefined;
  body: unknown;
}
function serve(...replies: (Response | Error)[]): Sent[] {
  const sent: Sent[] = [];
  globalThis.fetch = (async (url: string, init: RequestInit) => {
    sent.push({
      url,
      lastEventId: (init.headers as Record<string, string>)["Last-Event-ID"],
      body: typeof init.body === "string" ? JSON.parse(init.body) : null,
    });
    const next = replies.shift();
    if (!next) throw new Error("no more replies");
    if (next instanceof Error) throw next;
    return next;
  }) as typeof fetch;
  return sent;
}
function recorder(): StreamListener & {
  state: () => Generation;
  connections: string[];
  restarts: () => number;
} {
  let generation = newGeneration("q", "chat");
  let restarts = 0;
  const connections: string[] = [];
  return {
    onFrame: (frame: GenerationFrame) => {
      generation = applyFrame(generation, frame);
    },
    onRestart: () => {
      restarts += 1;
      generation = { ...generation, text: "" };
    },
    onConnection: (state) => connections.push(state),
    state: () => generation,
    connections,
    restarts: () => restarts,
  };
}
const question = { slug: "w", threadSlug: "t", message: "hello", mode: "chat" as const };
const options = { signal: new AbortController().signal, wait: async () => undefined };
const original = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = original;
});

/** The headers of each request. */
function serveHeaders(replies: Response[]): Record<string, string>[] {
  const sent: Record<string, string>[] = [];
  globalThis.fetch = ((_url: string, init: RequestInit) => {
    sent.push(init.headers as Record<string, string>);
    return Promise.resolve(replies.shift()!);
  }) as typeof fetch;
  return sent;
}

describe("answer stream", () => {
  it("begins a trace with each question, only while the instance records traces", async () => {
    const sent = serveHeaders([1, 2, 3].map(() => reply([started, final(2)])));
    storeTracing({ TracingEnabled: true });
    await streamAnswer(question, recorder(), options);
    await streamAnswer(question, recorder(), options);
    storeTracing({});
    await streamAnswer(question, recorder(), options);
    const [first, second, third] = sent.map(({ traceparent }) => traceparent);
    for (const one of [first, second]) expect(one).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    expect(second).not.toBe(first);
    expect(third).toBeUndefined();
  });

  it("sends the mode and reads frames to the end", async () => {
    const sent = serve(reply([started, chunk(2, "Hel"), chunk(3, "lo"), final(4)]));
    const seen = recorder();
    await streamAnswer(question, seen, options);
    expect(sent).toEqual([
      {
        url: "/api/workspace/w/thread/t/stream-chat",
        lastEventId: undefined,
        body: { message: "hello", mode: "chat", attachments: [] },
      },
    ]);
    expect(seen.state()).toMatchObject({
      id: generationId,
      chatId: 7,
      text: "Hello",
      phase: "done",
    });
  });

  it("reconnects after a drop, from the last event id, and repeats nothing", async () => {
    const sent = serve(
      reply([started, chunk(2, "One "), "cut"]),
      reply([chunk(3, "two "), "cut"]),
      new TypeError("Failed to fetch"),
      reply([], 503),
      reply([chunk(4, "three"), final(5)]),
    );
    const seen = recorder();
    await streamAnswer(question, seen, options);
    expect(seen.state().text).toBe("One two three");
    expect(seen.state().phase).toBe("done");
    expect(sent.map((each) => each.lastEventId)).toEqual([undefined, "2", "3", "3", "3"]);
    expect(sent[1]?.url).toBe(`/api/generation/${generationId}/stream`);
    expect(seen.restarts()).toBe(0);
    expect(seen.connections).toContain("reconnecting");
  });

  it("starts over when an expired stream is replayed from its beginning", async () => {
    serve(
      reply([started, chunk(2, "One "), "cut"]),
      reply([
        started,
        chunk(undefined, "One two three"),
        { frame: (final(9) as { frame: object }).frame },
      ]),
    );
    const seen = recorder();
    await streamAnswer(question, seen, options);
    expect(seen.state().text).toBe("One two three");
    expect(seen.restarts()).toBe(1);
  });

  it("treats a response that stops without a final frame as a dropped connection", async () => {
    serve(reply([started, chunk(2, "One ")]), reply([chunk(3, "two"), final(4)]));
    const seen = recorder();
    await streamAnswer(question, seen, options);
    expect(seen.state().text).toBe("One two");
  });

  it("attaches to a running generation", async () => {
    const sent = serve(reply([started, chunk(2, "Hi"), final(3)]));
    const seen = recorder();
    await resumeStream(generationId, null, seen, options);
    expect(sent[0]).toMatchObject({
      url: `/api/generation/${generationId}/stream`,
      lastEventId: undefined,
    });
    expect(seen.state().text).toBe("Hi");
  });

  it("does not retry before the answer has started, and fails with the specification's texts", async () => {
    serve(reply([], 400));
    await expect(streamAnswer(question, recorder(), options)).rejects.toThrow(
      "The answer failed with error 400.",
    );
    serve(reply([], 429));
    await expect(streamAnswer(question, recorder(), options)).rejects.toThrow(
      "The answer failed for an unknown reason.",
    );
    serve(new TypeError("Failed to fetch"));
    await expect(streamAnswer(question, recorder(), options)).rejects.toThrow(
      "The answer was interrupted: Failed to fetch",
    );
    serve(reply([], 500));
    await expect(streamAnswer(question, recorder(), options)).rejects.toThrow(
      "The answer failed for an unknown reason.",
    );
  });

  it("fails with the fault that the server names, unless the app doesn't know it", async () => {
    const fail = async (fault: object): Promise<unknown> => {
      const refusal = reply([], 400);
      refusal.headers.set("carrel-error", JSON.stringify(fault));
      serve(refusal);
      return streamAnswer(question, recorder(), options).catch(describeStreamError);
    };
    expect(await fail({ code: "turn.text-empty" })).toEqual({
      code: "turn.text-empty",
      params: {},
    });
    expect(await fail({ code: "newer.code" })).toBe("The answer failed with error 400.");
  });

  it("stops retrying when the generation no longer exists", async () => {
    const sent = serve(reply([started, "cut"]), reply([], 404));
    await expect(streamAnswer(question, recorder(), options)).rejects.toThrow("error 404");
    expect(sent).toHaveLength(2);
  });

  it("keeps the text so far when the provider disconnects", async () => {
    serve(
      reply([
        started,
        chunk(2, "Half"),
        {
          id: 3,
          frame: {
            type: "abort",
            uuid: "u",
            textResponse: null,
            sources: [],
            close: true,
            error: "The model broke off.",
          },
        },
      ]),
    );
    const seen = recorder();
    await streamAnswer(question, seen, options);
    expect(seen.state()).toMatchObject({
      text: "Half",
      phase: "failed",
      error: "The model broke off.",
    });
  });
});
