import { randomUUID } from "node:crypto";
import { join } from "node:path";
import {
  CarrelError,
  listTurns,
  readHistory,
  startGeneration,
  type In,
  type StoredAttachment,
} from "@carrel/contracts";
import { createBlobStore, type BlobStore } from "@carrel/storage";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import sharp from "sharp";
import { answerEverything } from "./fixture-answers.ts";
import { startTestInstance, type TestInstance } from "./instance.ts";

let instance: TestInstance;
let blobs: BlobStore;
let started: In<typeof startGeneration>[] = [];
const reset = {
  uuid: "u",
  type: "textResponse",
  textResponse: "Chat memory was reset!",
  sources: [],
  close: true,
  error: false,
  action: "reset_chat",
};
const picture = (format: "png" | "jpeg" | "webp" | "gif" | "avif"): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
    .toFormat(format)
    .toBuffer();
const urlOf = (bytes: Buffer, mime = "image/png"): string =>
  `data:${mime};base64,${bytes.toString("base64")}`;
const keys = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const key of blobs.list("attachment/")) found.push(key);
  return found;
};
const ask = (attachments: unknown, headers: Record<string, string> = {}) =>
  instance.call("POST", "/api/workspace/w/stream-chat", { message: "Hi", attachments }, headers);

beforeAll(async () => {
  instance = await startTestInstance();
  answerEverything(instance);
  await instance.call("POST", "/api/workspace/new", { name: "W" });
  blobs = createBlobStore({ kind: "disk", root: join(instance.config.CARREL_HOME, "blobs") });
});
afterAll(() => instance.stop());
/** `generationId` null: a command; the gateway keeps no image then. */
const answerStart = (generationId: string | null): void => {
  started = [];
  instance.chat.answer(startGeneration, ((input: In<typeof startGeneration>) => {
    started.push(input);
    return {
      generationId,
      chatId: generationId === null ? null : 9,
      queued: false,
      frames: generationId === null ? [reset] : [],
    };
  }) as never);
};

describe("images of a question", () => {
  it("go into the blob store, recognised by their content; the service gets their keys", async () => {
    answerStart(randomUUID());
    const [png, jpeg] = [await picture("png"), await picture("jpeg")];
    expect(
      (
        await ask(
          [
            { name: "a.png", mime: "image/gif", contentString: urlOf(png, "image/gif") },
            {
              name: "b",
              mime: "text/plain",
              contentString: urlOf(jpeg, "text/plain;charset=utf-8"),
            },
            { name: "c.txt", mime: "image/png", contentString: urlOf(Buffer.from("no picture")) },
            {
              name: "d.avif",
              mime: "image/avif",
              contentString: urlOf(await picture("avif"), "image/avif"),
            },
            { name: "e", mime: "image/png", contentString: "what?" },
          ],
          { "X-Timezone": "Europe/Berlin", "X-Language": "de" },
        )
      ).status,
    ).toBe(200);
    expect(started).toEqual([
      {
        threadSlug: null,
        message: "Hi",
        overrides: null,
        timeZone: "Europe/Berlin",
        locale: "de",
        attachments: [
          {
            name: "a.png",
            mime: "image/png",
            contentString: "",
            blobKey: expect.stringMatching(/^attachment\/[0-9a-f-]{36}$/),
          },
          { name: "b", mime: "image/jpeg", contentString: "", blobKey: expect.any(String) },
          { name: "c.txt", mime: "image/png", contentString: "" },
          { name: "d.avif", mime: "image/avif", contentString: "" },
          { name: "e", mime: "image/png", contentString: "" },
        ],
      },
    ]);
    expect(await keys()).toHaveLength(2);
  });

  it("may exceed the size limit between services, up to 20 MB in total", async () => {
    answerStart(randomUUID());
    const before = (await keys()).length;
    const large = Buffer.concat([await picture("png"), Buffer.alloc(9_000_000)]);
    expect(
      (
        await ask([
          { name: "a", mime: "image/png", contentString: urlOf(large) },
          { name: "b", mime: "image/png", contentString: urlOf(large) },
        ])
      ).status,
    ).toBe(200);
    expect(await keys()).toHaveLength(before + 2);
    const refused = await ask(
      Array.from({ length: 3 }, () => ({
        name: "a",
        mime: "image/png",
        contentString: urlOf(large),
      })),
    );
    expect(refused).toMatchObject({ status: 413 });
    expect(refused.text).toContain("The limit is 20 MB in total.");
    expect(await keys()).toHaveLength(before + 2);
    expect(started).toHaveLength(1);
  });

  it("leave nothing behind if no turn was written", async () => {
    const before = (await keys()).length;
    answerStart(null);
    await ask([{ name: "a.png", mime: "image/png", contentString: urlOf(await picture("png")) }]);
    expect(started).toHaveLength(1);
    instance.chat.answer(startGeneration, (() => {
      throw new CarrelError("thread.not-found");
    }) as never);
    expect(
      (
        await ask([
          { name: "a.png", mime: "image/png", contentString: urlOf(await picture("png")) },
        ])
      ).status,
    ).toBe(404);
    expect(await keys()).toHaveLength(before);
  });

  it.each([
    [{ name: "a" }],
    ["text"],
    [[{ name: 1, mime: 2, contentString: 3 }]],
    [Array.from({ length: 21 }, () => ({ name: "a", mime: "b", contentString: "" }))],
  ])("that are malformed are refused: %j", async (attachments) => {
    const answer = await ask(attachments);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

describe("histories", () => {
  it("contain the images as data URLs again, and never a key", async () => {
    const [blobKey] = await keys();
    const stored: StoredAttachment[] = [
      { name: "a.png", mime: "image/png", contentString: "", blobKey },
      {
        name: "gone.png",
        mime: "image/png",
        contentString: "",
        blobKey: `attachment/${randomUUID()}`,
      },
      { name: "old.png", mime: "image/png", contentString: "data:image/png;base64,AAAA" },
    ];
    const user = {
      role: "user" as const,
      content: "Hi",
      sentAt: 1,
      attachments: stored,
      chatId: 9,
    };
    instance.chat
      .answer(readHistory, ({ thread }: In<typeof readHistory>) => ({
        version: "1",
        page: {
          items: [...(thread === null ? [{ ...user, attachments: [] }] : []), user]
            .map((item) => JSON.stringify(item))
            .join(","),
          next: null,
          hasImages: true,
        },
      }))
      .answer(listTurns, {
        turns: [
          {
            id: 9,
            question: "Hi",
            answer: "",
            sources: [],
            sentAt: 1,
            state: "done",
            error: null,
            generationId: null,
            mode: "chat",
            metrics: null,
            refused: false,
            attachments: stored,
          },
        ],
        hasMore: false,
      });
    for (const path of ["chats", "thread/a-thread/chats", "turns"]) {
      const answer = await instance.call("GET", `/api/workspace/w/${path}`);
      const json = answer.json as {
        history?: { attachments: unknown }[];
        turns?: { attachments: unknown }[];
      };
      const [last] = (json.history ?? json.turns)!.slice(-1);
      expect(last!.attachments).toEqual([
        {
          name: "a.png",
          mime: "image/png",
          contentString: expect.stringMatching(/^data:image\/png;base64,.{20}/),
        },
        { name: "gone.png", mime: "image/png", contentString: "" },
        { name: "old.png", mime: "image/png", contentString: "data:image/png;base64,AAAA" },
      ]);
      expect(answer.text).not.toContain("blobKey");
    }
  });
});
