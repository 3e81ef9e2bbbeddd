import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { attachGeneration, listTurns } from "@carrel/contracts";
import { eventually } from "@carrel/testing";
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
    `UPDATE chat.generation SET lease_owner = 'gone', lease_expires_at = now() - interval '1 second', state = coalesce($2, state) WHERE id = $1`,
    [id, state ?? null],
  );
/** Removes the last `count` entries of a stream. */
async function cutStream(id: string, count: number): Promise<void> {
  const key = `stream:gen:${id}`;
  const entries = await redis.xrevrange(key, "+", "-");
  // Removed entries would leave their numbers used up, so the stream is rebuilt.
  await redis.del(key);
  for (const [entry, fields] of entries.reverse().slice(0, -count))
    await redis.xadd(key, entry, ...fields);
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
    await eventually(async () => expect(await leaseOf(generationId)).toBeNull());
    await cutStream(generationId, count);
    await lapse(generationId);
    const again = await chat.read(generationId);
    expect(textOf(again)).toBe(textOf(frames));
    expect(wireFrames(again).slice(-2)).toEqual(wireFrames(frames).slice(-2));
    await eventually(async () => expect(await leaseOf(generationId)).toBeNull());
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
    await eventually(async () => expect(await leaseOf(generationId)).toBeNull());
    const [{ sources }] = await database.query<[{ sources: unknown[] }]>(
      "SELECT sources FROM chat.turn WHERE id = $1",
      [chatId],
    );
    expect(sources).toHaveLength(1);
    if (isStreamLost) await redis.del(`stream:gen:${generationId}`);
    else await cutStream(generationId, 4);
    await database.query(
      `UPDATE chat.turn SET state = 'running', answer = 'One two', sources = $2 WHERE id = $1`,
      [chatId, JSON.stringify(isStreamLost ? sources : [])],
    );
    await lapse(generationId, "running");
    await eventually(async () =>
      expect(
        (await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns[0],
      ).toMatchObject({ state: "failed", sources }),
    );
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

  it("keeps text shown after the last save", async () => {
    chat.llm.behave({ reply: "One two three four five six seven eight nine ten.", delayMs: 60 });
    const scope = chat.addWorkspace();
    const { generationId, chatId, frames } = await chat.ask(scope, "@agent count.");
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
      notices: [{ code: "notice.agent-unavailable" }],
    });
    expect(textOf(again).length).toBeGreaterThan("One two".length);
    expect(textOf(frames).startsWith(textOf(again))).toBe(true);
  });
});
