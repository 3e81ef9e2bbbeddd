import { setTimeout as wait } from "node:timers/promises";
import { attachGeneration, CarrelError, startGeneration } from "@carrel/contracts";
import { waitFor } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { answerEverything, documentId } from "./fixture-answers.ts";
import { startFixtureGeneration } from "./fixture-services.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";
import { openStream, type StreamReader } from "./stream-reader.ts";

let instance: TestInstance;

beforeAll(async () => {
  instance = await startTestInstance();
  answerEverything(instance);
  await instance.call("POST", "/api/workspace/new", { name: "W" });
}, 120_000);

afterAll(() => instance.stop());

const open = (path: string, options?: Parameters<typeof openStream>[1]) =>
  openStream(`${instance.url}${path}`, options);

const chunk = (textResponse: string, close = false): object => ({
  uuid: "u",
  sources: [],
  type: "textResponseChunk",
  textResponse,
  close,
  error: false,
});

const final = {
  uuid: "u",
  type: "finalizeResponseStream",
  close: true,
  error: false,
  chatId: 7,
  metrics: {},
};

const data = (...frames: object[]): string =>
  frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");

async function begin(headers: Record<string, string> = {}): Promise<{
  reader: StreamReader;
  generation: Awaited<ReturnType<typeof startFixtureGeneration>>;
  started: object;
}> {
  const generation = await startFixtureGeneration(instance.shared.messaging.streams, instance.chat);
  instance.chat.answer(startGeneration, {
    generationId: generation.id,
    chatId: 7,
    queued: false,
    frames: [],
  });
  const started = {
    type: "generationStarted",
    generationId: generation.id,
    chatId: 7,
    queued: false,
  };
  await generation.write(started);
  const reader = await open("/api/workspace/w/stream-chat", {
    method: "POST",
    headers,
    body: { message: "Hello?" },
  });
  return { reader, generation, started };
}

describe("an answer, for clients that only know the wire contract", () => {
  it("has exactly the wire's headers and framing", async () => {
    const { reader, generation } = await begin();
    expect(reader.status).toBe(200);
    expect(reader.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      connection: "keep-alive",
      "access-control-allow-origin": "*",
    });
    const frames = [
      chunk("Hal"),
      chunk("lo ü\n"),
      chunk("", true),
      final,
      { action: "rename_thread", thread: { slug: "t", name: "Hello?" } },
    ];
    await generation.write({ type: "generationStage", stage: "writing" });
    for (const frame of frames) await generation.write(frame);
    await generation.end();
    await reader.ended;
    expect(reader.text()).toBe(data(...frames));
    expect(generation.cancelled()).toBe(false);
    expect(instance.chat.last(startGeneration)?.input).toEqual({
      threadSlug: null,
      message: "Hello?",
      overrides: null,
      attachments: [],
    });
    expect(instance.chat.last(startGeneration)?.context.scope.workspace).toEqual({
      id: 1,
      slug: "w",
    });
  });

  it("is asked under the client's Idempotency-Key, if there is one", async () => {
    const keys: string[] = [];
    for (const headers of [{ "idempotency-key": "again" }, {}] as Record<string, string>[]) {
      const { reader, generation } = await begin(headers);
      await generation.write(final);
      await generation.end();
      await reader.ended;
      keys.push(instance.chat.last(startGeneration)!.context.idempotencyKey);
    }
    const left = await begin({ "idempotency-key": "again" });
    await left.generation.write(chunk("Hal"));
    await left.reader.until("Hal");
    left.reader.leave();
    await wait(300);
    expect(left.generation.cancelled()).toBe(false);
    expect(keys[0]).toMatch(/^client\/again\/[\w-]{43}$/);
    expect(keys[1]).not.toMatch(/^client/);
  });

  it("is cancelled only if the client leaves before its end", async () => {
    const early = await begin();
    await early.generation.write(chunk("Hal"));
    await early.reader.until("Hal");
    early.reader.leave();
    await waitFor(early.generation.cancelled, { what: "the cancellation" });

    const late = await begin();
    await late.generation.write(final);
    await late.reader.until("finalizeResponseStream");
    late.reader.leave();
    await wait(300);
    expect(late.generation.cancelled()).toBe(false);
  });

  it("ends with a message for both kinds of client if its conversation is deleted while its stream is lost", async () => {
    for (const headers of [{}, { "x-carrel-stream": "1" }] as Record<string, string>[]) {
      const { reader, generation } = await begin(headers);
      await generation.write(chunk("Hal"));
      await reader.until("Hal");
      instance.chat.answer(attachGeneration, () => {
        throw new CarrelError("generation.not-found");
      });
      await instance.shared.messaging.streams.drop(`gen:${generation.id}`);
      await reader.ended;
      expect(reader.text()).toMatch(
        new RegExp(
          `data: \\{"uuid":"${generation.id}","type":"abort","textResponse":null,"sources":\\[\\],"close":true,"error":"The conversation was deleted while this was being answered\\."\\}\n\n$`,
        ),
      );
    }
  });

  it("starts only after the thread was found: an unknown one is a plain 404", async () => {
    instance.chat.answer(startGeneration, () => {
      throw new CarrelError("thread.not-found");
    });
    expect(
      await instance.call("POST", "/api/workspace/w/thread/nobody/stream-chat", { message: "Hi" }),
    ).toMatchObject({ status: 404, text: "Workspace thread does not exist." });
  });
});

describe("an answer, for our own clients", () => {
  const own = { "x-carrel-stream": "1" };

  it("has numbered frames, starts with generationStarted, and only detaches when the client leaves", async () => {
    const { reader, generation, started } = await begin(own);
    await generation.write(chunk("Hal"));
    expect(await reader.until("Hal")).toBe(`id: 1\n${data(started)}id: 2\n${data(chunk("Hal"))}`);
    expect(reader.headers["access-control-allow-origin"]).toBeUndefined();
    reader.leave();
    await wait(200);
    expect(generation.cancelled()).toBe(false);

    await generation.write(chunk("lo"));
    const again = await open(`/api/generation/${generation.id}/stream`, {
      headers: { ...own, "last-event-id": "2" },
    });
    await generation.write(final);
    await generation.end();
    await again.ended;
    expect(again.text()).toBe(`id: 3\n${data(chunk("lo"))}id: 4\n${data(final)}`);
    const whole = await open(`/api/generation/${generation.id}/stream`, { headers: own });
    await whole.ended;
    expect(whole.text()).toMatch(/^id: 1\ndata: \{"type":"generationStarted"/);
  });

  it("is rebuilt from PostgreSQL when its stream is gone", async () => {
    const frames = [
      { type: "generationStarted", generationId: documentId, chatId: 7, queued: false },
      chunk("The whole answer."),
      final,
    ];
    instance.chat.answer(attachGeneration, { chatId: 7, state: "done", frames });
    const reader = await open(`/api/generation/${documentId}/stream`, { headers: own });
    await reader.ended;
    expect(reader.text()).toBe(data(...frames));
    instance.chat.answer(attachGeneration, () => {
      throw new CarrelError("generation.not-found");
    });
    expect((await instance.call("GET", `/api/generation/${documentId}/stream`)).status).toBe(404);
  });
});

describe("a gateway that stops", () => {
  it("ends its streams without cancelling any answer", async () => {
    const { reader, generation } = await begin();
    await generation.write(chunk("Hal"));
    await reader.until("Hal");
    await instance.stopGateway();
    await reader.ended;
    expect(generation.cancelled()).toBe(false);
  });
});
