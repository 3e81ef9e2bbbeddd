import type { GenerationFrame, TurnWire } from "@carrel/contracts";
import "../../../../testing/texts.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import i18next from "i18next";
import { queryClient } from "../../../lib/query-client.ts";
import { turnKeys } from "../../../lib/query-keys.ts";
import chat from "../../../locales/en/chat.json" with { type: "json" };
import { sendQuestion } from "./generation-stream.ts";

beforeAll(() =>
  i18next.init({ lng: "en", resources: { en: { chat } }, interpolation: { escapeValue: false } }),
);

const generationId = "7f9c24e8-3b12-4fef-91e0-111111111111";
const turn = (id: number, rest: Partial<TurnWire> = {}): TurnWire => ({
  id,
  question: "Did it arrive?",
  answer: "",
  sources: [],
  sentAt: 1,
  state: "running",
  error: null,
  generationId,
  mode: "chat",
  metrics: null,
  refused: false,
  ...rest,
});
const dropped = new TypeError("Failed to fetch");
/** The parts of a response that the app uses; jsdom has none. */
const reply = (rest: object): Response =>
  ({ ok: true, status: 200, headers: new Headers(), ...rest }) as Response;
const turns = (...list: TurnWire[]): Response =>
  reply({ json: async () => ({ turns: list, hasMore: false }) });
const stream = (): Response =>
  reply({
    body: new ReadableStream<Uint8Array>({
      start(controller) {
        const end = {
          type: "abort",
          id: "x",
          textResponse: null,
          sources: [],
          close: true,
          error: "The end.",
        };
        controller.enqueue(new TextEncoder().encode(`id: 2\ndata: ${JSON.stringify(end)}\n\n`));
        controller.close();
      },
    }),
  });

let requests: string[] = [];
function serve(...replies: (Response | Error)[]): void {
  requests = [];
  globalThis.fetch = (async (url: string, init: RequestInit) => {
    requests.push(`${init.method ?? "GET"} ${url.split("?")[0]}`);
    const next = replies.shift();
    if (next === undefined || next instanceof Error) throw next ?? new Error("no more replies");
    return next;
  }) as typeof fetch;
}

describe("a question whose connection breaks before it is confirmed", () => {
  const original = globalThis.fetch;
  const address = { slug: "w", threadSlug: "t" };
  let frames: GenerationFrame[];
  let connections: string[];
  const send = (): Promise<void> =>
    sendQuestion(
      { ...address, message: "Did it arrive?", mode: "chat" },
      {
        onFrame: (frame) => void frames.push(frame),
        onRestart: () => undefined,
        onConnection: (state) => void connections.push(state),
      },
      { signal: new AbortController().signal, wait: async () => undefined },
    );
  const load = (...list: TurnWire[]): void => {
    queryClient.setQueryData(turnKeys.list("w", "t"), {
      pages: [{ turns: list, hasMore: false }],
      pageParams: [0],
    });
  };
  beforeEach(() => {
    frames = [];
    connections = [];
  });
  afterEach(() => {
    globalThis.fetch = original;
    queryClient.clear();
  });

  it("is found once the server is back, and its answer is followed", async () => {
    load(turn(6, { state: "done" }));
    serve(dropped, dropped, turns(turn(6, { state: "done" }), turn(7)), stream());
    await send();
    expect(requests).toEqual([
      "POST /api/workspace/w/thread/t/stream-chat",
      "GET /api/workspace/w/turns",
      "GET /api/workspace/w/turns",
      `GET /api/generation/${generationId}/stream`,
    ]);
    expect(frames).toMatchObject([
      { type: "generationStarted", generationId, chatId: 7, queued: false },
      { type: "abort" },
    ]);
    expect(connections.slice(0, 2)).toEqual(["reconnecting", "live"]);
  });

  it("fails with the specification's text if the server doesn't have it", async () => {
    load(turn(6, { state: "done" }));
    serve(dropped, turns(turn(6, { state: "done" }), turn(7, { question: "Another?" })));
    await expect(send()).rejects.toThrow("The answer was interrupted: Failed to fetch");
    expect(frames).toEqual([]);
  });

  it("is not taken for an older one while the conversation isn't loaded", async () => {
    serve(dropped, turns(turn(6, { state: "done" })));
    await expect(send()).rejects.toThrow("Failed to fetch");
    serve(dropped, turns(turn(6, { state: "queued" })), stream());
    await send();
    expect(frames[0]).toMatchObject({ type: "generationStarted", chatId: 6, queued: true });
  });
});
