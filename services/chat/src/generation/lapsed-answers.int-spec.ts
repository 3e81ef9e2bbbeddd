import { attachGeneration, listTurns } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";

let chat: ChatInstance;
let redis: Redis;
let database: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  redis = new Redis(chat.redis.url);
  database = await new DataSource({
    type: "postgres",
    url: chat.database.url,
    schema: "chat",
  }).initialize();
});
afterAll(async () => {
  redis.disconnect();
  await database.destroy();
  await chat.stop();
});

/** Simulates a dead replica: the lease has expired and is not renewed. */
const lapse = (id: string, state?: string): Promise<unknown> =>
  database.query(
    `UPDATE chat.generation SET lease_owner = 'gone',
      lease_expires_at = now() - interval '1 second', state = coalesce($2, state)
    WHERE id = $1`,
    [id, state ?? null],
  );
/** Removes the last `count` entries of a stream. */
async function cutStream(id: string, count: number): Promise<void> {
  const key = `stream:sealed:gen:${id}`;
  const entries = await redis.xrevrange(key, "+", "-");
  // Removed entries would leave their numbers used up, so the stream is rebuilt.
  await redis.del(key);
  for (const [entry, fields] of entries.reverse().slice(0, -count))
    await redis.xadd(key, entry, ...fields);
}
const partsOf = async (id: string): Promise<string[]> =>
  (await chat.shared.messaging.streams.load(`gen:${id}`))!.parts;
/** Removes the first text of a stream and everything after it. */
async function cutText(id: string): Promise<void> {
  const entries = await redis.xrange(`stream:sealed:gen:${id}`, "1-0", "+");
  const first = (await partsOf(id)).findIndex((part) => part.includes('"textResponseChunk"'));
  await cutStream(id, entries.length - first);
}
/** Turns a stream into one of an older version, which didn't mark reasoning. */
async function forgetReasoning(id: string): Promise<void> {
  const key = `stream:sealed:gen:${id}`;
  const parts = await partsOf(id);
  await redis.del(key);
  for (const [index, part] of parts.entries()) {
    const older = part.includes('"generationReasoning"')
      ? '{"type":"generationStage","stage":"writing"}'
      : part;
    const head = `gen:${id}\n${index + 1}`;
    const sealed = chat.shared.messaging.cipher.seal("stream", head, older);
    await redis.xadd(key, `${index + 1}-0`, "d", sealed);
  }
}
const leaseOf = async (id: string): Promise<unknown> =>
  (
    await database.query<{ lease_expires_at: unknown }[]>(
      "SELECT lease_expires_at FROM chat.generation WHERE id = $1",
      [id],
    )
  )[0]!.lease_expires_at;

describe("a finished answer whose stream was never ended", () => {
  it.each([
    [1, "its end"],
    [2, "the last frame"],
    [3, "the closing frames"],
    [5, "the last of the text"],
  ])("is completed with identical bytes: %i parts (%s)", async (count) => {
    chat.llm.behave({ reply: "One two three four five six seven eight nine ten.", delayMs: 60 });
    const scope = chat.addWorkspace();
    const { generationId, frames } = await chat.ask(scope, "Count.");
    await poll(() => leaseOf(generationId)).toBeNull();
    await cutStream(generationId, count);
    await lapse(generationId);
    const again = await chat.read(generationId);
    expect(textOf(again)).toBe(textOf(frames));
    expect(wireFrames(again).slice(-2)).toEqual(wireFrames(frames).slice(-2));
    await poll(() => leaseOf(generationId)).toBeNull();
  });
});

describe("an answer whose replica is gone", () => {
  it.each([
    ["from its stream", false],
    ["as they were saved, where the stream is lost too", true],
  ])("keeps its sources: %s", async (_, isStreamLost) => {
    chat.llm.behave({
      reply: "One two three four five six seven eight nine ten [1].",
      delayMs: 60,
    });
    const scope = chat.addWorkspace({}, [passageOf()]);
    const { generationId, chatId } = await chat.ask(scope, "Count, as the survey does?");
    await poll(() => leaseOf(generationId)).toBeNull();
    const [{ sources }] = await database.query<[{ sources: unknown[] }]>(
      "SELECT sources FROM chat.turn WHERE id = $1",
      [chatId],
    );
    expect(sources).toHaveLength(1);
    if (isStreamLost) await redis.del(`stream:sealed:gen:${generationId}`);
    else await cutStream(generationId, 4);
    await database.query(
      `UPDATE chat.turn SET state = 'running', answer = 'One two', sources = $2 WHERE id = $1`,
      [chatId, JSON.stringify(isStreamLost ? sources : [])],
    );
    await lapse(generationId, "running");
    await poll(
      async () => (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns[0],
    ).toMatchObject({ state: "failed", sources });
    const { frames } = isStreamLost
      ? await chat.request(attachGeneration, { generationId }, scope)
      : { frames: (await chat.read(generationId)).map(({ frame }) => frame) };
    expect(frames!.slice(-4)).toMatchObject([
      { type: "textResponseChunk", close: true, sources },
      { type: "generationFault", fault: { code: "generation.writer-lost" } },
      { type: "abort", sources: [] },
      { type: "finalizeResponseStream", chatId },
    ]);
  });

  it("keeps its reasoning apart where an older version wrote it", async () => {
    chat.llm.behave({ reasoning: ["Let me ", "count."], reply: "One two three.", delayMs: 60 });
    const scope = chat.addWorkspace();
    const { generationId, chatId } = await chat.ask(scope, "Count.");
    await poll(() => leaseOf(generationId)).toBeNull();
    await cutStream(generationId, 4);
    await forgetReasoning(generationId);
    await database.query(
      `UPDATE chat.turn SET state = 'running', answer = '', reasoning = NULL WHERE id = $1`,
      [chatId],
    );
    await lapse(generationId, "running");
    await poll(
      async () => (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns[0],
    ).toMatchObject({
      state: "failed",
      answer: expect.stringMatching(/^One/),
      reasoning: [{ text: "Let me count." }],
    });
  });

  it("keeps text shown after the last save", async () => {
    chat.llm.behave({ reply: "One two three four five six seven eight nine ten.", delayMs: 60 });
    const scope = chat.addWorkspace();
    const { generationId, chatId, frames } = await chat.ask(scope, "Count.", {
      attachments: [unreadable],
    });
    await cutStream(generationId, 4);
    await database.query(
      `UPDATE chat.turn SET state = 'running', answer = 'One two', coded_notices = '[]' WHERE id = $1`,
      [chatId],
    );
    await lapse(generationId, "running");
    const again = await chat.read(generationId);
    expect(wireFrames(again).slice(-2)).toMatchObject([
      { type: "abort", error: expect.stringContaining("The text so far was kept") },
      { type: "finalizeResponseStream", chatId },
    ]);
    const { turns } = await chat.request(listTurns, { slug: scope.workspace.slug }, scope);
    expect(turns[0]).toMatchObject({
      state: "failed",
      answer: textOf(again),
      error: expect.stringContaining("The text so far was kept"),
      fault: { code: "generation.writer-lost" },
      notices: [unreadableNotice],
    });
    expect(textOf(again).length).toBeGreaterThan("One two".length);
    expect(textOf(frames).startsWith(textOf(again))).toBe(true);
  });
});

/** Its question is answered with a notice. */
const unreadable = { name: "a.tiff", mime: "image/tiff", contentString: "" };
const unreadableNotice = {
  code: "notice.attachments-unsupported",
  params: { names: expect.stringContaining("a.tiff") },
};

describe("an answer whose replica is gone before it had any text", () => {
  const asked = async () => {
    chat.llm.behave({ reply: "One two three." });
    const scope = chat.addWorkspace();
    const { generationId, chatId, frames } = await chat.ask(scope, "Count.", {
      attachments: [unreadable],
    });
    await poll(() => leaseOf(generationId)).toBeNull();
    await database.query(
      `UPDATE chat.turn SET state = 'running', answer = '', coded_notices = '[]' WHERE id = $1`,
      [chatId],
    );
    await cutText(generationId);
    const readTurn = async () =>
      (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns[0];
    return { generationId, chatId, frames, readTurn, requests: chat.llm.requests.length };
  };
  const change = (id: string, assignment: string): Promise<unknown> =>
    database.query(`UPDATE chat.generation SET ${assignment} WHERE id = $1`, [id]);

  it.each([
    ["in the same stream", false],
    ["where the stream is lost too", true],
  ])("is run again: %s", async (_, isStreamLost) => {
    const { generationId, frames, readTurn } = await asked();
    if (isStreamLost) await redis.del(`stream:sealed:gen:${generationId}`);
    await lapse(generationId, "running");
    const again = await chat.read(generationId);
    expect(textOf(again)).toBe(textOf(frames));
    // The answer's notices aren't repeated.
    expect(wireFrames(again).map(({ type }) => type)).toEqual(
      wireFrames(frames).map(({ type }) => type),
    );
    expect(await readTurn()).toMatchObject({
      state: "done",
      answer: "One two three.",
      error: null,
      notices: [unreadableNotice],
    });
  });

  it("is run again after it began to think, and need not think again", async () => {
    chat.llm.behave({ reasoning: ["Hm."], reply: "One two three." });
    const scope = chat.addWorkspace();
    const { generationId, chatId } = await chat.ask(scope, "Count.");
    await poll(() => leaseOf(generationId)).toBeNull();
    await database.query(`UPDATE chat.turn SET state = 'running', answer = '' WHERE id = $1`, [
      chatId,
    ]);
    await cutText(generationId);
    expect((await partsOf(generationId)).at(-1)).toContain("generationReasoning");
    chat.llm.behave({ reply: "Four five six.", reasoning: [] });
    await lapse(generationId, "running");
    const again = await chat.read(generationId);
    expect(textOf(again)).toBe("Four five six.");
    const spans = again.flatMap(({ frame }) =>
      frame.type === "generationReasoning" ? [[frame.start, frame.end]] : [],
    );
    expect(spans).toEqual([
      [0, null],
      [0, 0],
    ]);
    const { turns } = await chat.request(listTurns, { slug: scope.workspace.slug }, scope);
    expect(turns[0]).toMatchObject({ state: "done", answer: "Four five six." });
    expect(turns[0]).not.toHaveProperty("reasoning");
  });

  it("fails after three lost runs", async () => {
    const { generationId, readTurn, requests } = await asked();
    await change(generationId, "lost_runs = 2");
    await lapse(generationId, "running");
    expect(wireFrames(await chat.read(generationId)).at(-1)).toMatchObject({
      type: "abort",
      error: "The server stopped 3 times before it could start this answer. Try again.",
    });
    expect(await readTurn()).toMatchObject({
      state: "failed",
      fault: { code: "generation.given-up", params: { runs: 3 } },
    });
    expect(chat.llm.requests).toHaveLength(requests);
  });

  it("stays cancelled if it was being cancelled", async () => {
    const { generationId, readTurn, requests } = await asked();
    await change(generationId, "cancel_requested = true");
    await lapse(generationId, "running");
    expect(wireFrames(await chat.read(generationId)).at(-1)).toMatchObject({
      type: "finalizeResponseStream",
    });
    expect(await readTurn()).toMatchObject({ state: "cancelled", error: null });
    expect(chat.llm.requests).toHaveLength(requests);
  });
});
