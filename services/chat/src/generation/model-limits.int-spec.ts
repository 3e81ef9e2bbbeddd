import { randomUUID } from "node:crypto";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { deleteChats, listTurns, type StoredAttachment } from "@carrel/contracts";
import { poll } from "@carrel/testing";
import { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";
import { textOf, wireFrames } from "../../test/received-frame.ts";
import { AttachmentSweeper } from "../attachment/attachment.module.ts";

let chat: ChatInstance;
beforeAll(async () => {
  chat = await ChatInstance.start();
  Object.assign(chat.fixture.values, {
    OllamaLLMBasePath: chat.llm.url,
    OllamaLLMModelPref: "llava",
    OllamaLLMTokenLimit: "8192",
  });
  chat.fixture.secrets.OllamaLLMAuthToken = chat.shared.secretBox.seal("fake-key");
  await chat.startReplica();
});
afterAll(() => chat.stop());
beforeEach(() => chat.llm.behave({ reply: "It is so." }));

const asked = () => chat.llm.requests.filter(({ path }) => path !== "/api/show");
const sizeOf = (request: { body: object }): number => JSON.stringify(request.body).length;
const long = `START ${"The heat pump runs at forty-eight degrees in winter. ".repeat(1_000)}END`;

it("says that an answer ends at the model's length limit", async () => {
  const scope = chat.addWorkspace();
  chat.llm.next({ reply: "It is", finishReason: "length" });
  const { frames } = await chat.ask(scope, "Is it so?");
  expect(textOf(frames)).toBe("It is");
  expect(frames.map(({ frame }) => frame.notice)).toContainEqual({ code: "notice.answer-cut" });
  expect(wireFrames(frames).at(-1)).toMatchObject({ metrics: { finish_reason: "length" } });
});

it("keeps a client's limit within half the window, and takes an answer without text", async () => {
  const scope = chat.addWorkspace({ chatProvider: "ollama", chatModel: "limited" });
  await chat.ask(scope, "Is it so?", { overrides: { maxTokens: 10_000_000 } });
  expect(asked().at(-1)!.body).toMatchObject({ options: { num_predict: 4096 } });
  chat.llm.next({ reply: "", finishReason: "length" });
  const { frames } = await chat.ask(scope, "Is it so?", { overrides: { maxTokens: 1 } });
  expect(asked().at(-1)!.body).toMatchObject({ options: { num_predict: 1 } });
  expect(frames.map(({ frame }) => frame.notice)).not.toContainEqual(expect.anything());
  expect(wireFrames(frames).at(-1)).toMatchObject({
    type: "finalizeResponseStream",
    metrics: { finish_reason: "length" },
  });
});

describe.each(["generic-openai", "ollama"])(
  "a prompt that %s rejects as too long",
  (chatProvider) => {
    it("is retried once with a smaller prompt, and the next one starts smaller", async () => {
      const scope = chat.addWorkspace({ chatProvider, chatModel: `small-${chatProvider}` });
      chat.llm.behave({ reply: "It is so.", promptLimit: 15_000 });
      const before = asked().length;
      const { frames } = await chat.ask(scope, long);
      expect(textOf(frames)).toBe("It is so.");
      expect(wireFrames(frames).map((frame) => frame.type)).not.toContain("abort");
      const [first, second, ...more] = asked().slice(before);
      expect(more).toEqual([]);
      expect(sizeOf(second!)).toBeLessThan(sizeOf(first!) * 0.8);
      const next = asked().length;
      await chat.ask(scope, long);
      expect(sizeOf(asked()[next]!)).toBeLessThan(sizeOf(first!) * 0.95);
    });

    it("ends with an error if the smaller prompt is too long as well", async () => {
      const scope = chat.addWorkspace({ chatProvider, chatModel: `tiny-${chatProvider}` });
      chat.llm.behave({ reply: "never", promptLimit: 100 });
      const before = asked().length;
      const { frames } = await chat.ask(scope, long);
      expect(wireFrames(frames)).toMatchObject([
        { type: "abort", error: expect.stringMatching(/too long for this model/) },
      ]);
      expect(asked()).toHaveLength(before + 2);
    });
  },
);

it("is not retried after text was sent", async () => {
  const scope = chat.addWorkspace();
  chat.llm.next({ tokens: 10, delayMs: 2, errorAfter: 4 });
  const before = asked().length;
  const wire = wireFrames((await chat.ask(scope, "Tell me everything of it, please.")).frames);
  expect(wire.at(-2)).toMatchObject({ type: "abort" });
  expect(wire.at(-1)).toMatchObject({ type: "finalizeResponseStream" });
  expect(asked()).toHaveLength(before + 1);
});

it("learns prompt limits from the provider's token counts", async () => {
  const scope = chat.addWorkspace({ chatModel: "counting" });
  // The fake counts one token per four characters of JSON, less than the initial factor for an
  // unknown family.
  await chat.ask(scope, long);
  const first = sizeOf(asked().at(-1)!);
  for (let index = 0; index < 3; index += 1)
    await chat.ask(chat.addWorkspace({ chatModel: "counting" }), long);
  expect(sizeOf(asked().at(-1)!)).not.toBe(first);
});

describe("images", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  );
  const keep = async (bytes: Buffer = png): Promise<StoredAttachment> => {
    const blobKey = `attachment/${randomUUID()}`;
    await chat.blobs.put(blobKey, Readable.from([bytes]));
    return { name: "plan.png", mime: "image/png", contentString: "", blobKey };
  };
  const statuses = (frames: Parameters<typeof wireFrames>[0]): unknown[] =>
    wireFrames(frames)
      .filter((frame) => frame.type === "statusResponse")
      .map((frame) => frame.textResponse);

  it("go to the model from the blob store, and again with the history", async () => {
    const scope = chat.addWorkspace();
    const image = {
      type: "image_url",
      image_url: { url: `data:image/png;base64,${png.toString("base64")}` },
    };
    const { frames } = await chat.ask(scope, "What does this plan of the house show?", {
      attachments: [await keep()],
    });
    expect(statuses(frames)).toEqual([]);
    expect((asked().at(-1)!.body as { messages: unknown[] }).messages.at(-1)).toEqual({
      role: "user",
      content: [{ type: "text", text: "What does this plan of the house show?" }, image],
    });
    await chat.ask(scope, "And where is the door of the house on this plan?");
    expect((asked().at(-1)!.body as { messages: unknown[] }).messages[1]).toEqual({
      role: "user",
      content: [{ type: "text", text: "What does this plan of the house show?" }, image],
    });
    expect((await chat.history(scope))[0]).toMatchObject({
      attachments: [
        {
          name: "plan.png",
          mime: "image/png",
          contentString: "",
          blobKey: expect.stringMatching(/^attachment\//),
        },
      ],
    });
  });

  it("are left out for a model known to lack vision, with a notice", async () => {
    const { frames } = await chat.ask(
      chat.addWorkspace({ chatProvider: "ollama", chatModel: "blind" }),
      "What does this plan of the house show?",
      { attachments: [await keep()] },
    );
    expect(statuses(frames)).toEqual([
      "blind can't see images, so the question is answered without them.",
    ]);
    expect(textOf(frames)).toBe("It is so.");
    expect(JSON.stringify(asked().at(-1)!.body)).not.toContain("images");
  });

  it("go to a model with vision in its protocol’s shape", async () => {
    chat.llm.behave({ reply: "A house.", capabilities: ["completion", "vision"] });
    const { frames } = await chat.ask(
      chat.addWorkspace({ chatProvider: "ollama", chatModel: "seeing" }),
      "What does this plan of the house show?",
      { attachments: [await keep()] },
    );
    expect(statuses(frames)).toEqual([]);
    expect((asked().at(-1)!.body as { messages: unknown[] }).messages.at(-1)).toEqual({
      role: "user",
      content: "What does this plan of the house show?",
      images: [png.toString("base64")],
    });
  });

  it.each([400, 500])(
    "are tried with an unknown model, and left out when the server answers %i",
    async (status) => {
      chat.llm.behave({ reply: "Without.", refusesImages: status });
      const { frames } = await chat.ask(
        chat.addWorkspace({ chatModel: `maybe-${status}` }),
        "What does this plan of the house show?",
        { attachments: [await keep()] },
      );
      expect(statuses(frames)).toEqual([
        `maybe-${status} can't see images, so the question is answered without them.`,
      ]);
      expect(textOf(frames)).toBe("Without.");
    },
  );

  it("that are invalid, gone, or sent to the built-in answerer don't stop the answer", async () => {
    const other = await chat.ask(chat.addWorkspace(), "What does this file of the house show?", {
      attachments: [
        { name: "notes.txt", mime: "text/plain", contentString: "" },
        { ...(await keep()), blobKey: `attachment/${randomUUID()}` },
      ],
    });
    expect(statuses(other.frames)).toEqual([
      "Models can only see PNG, JPEG, GIF and WebP images, so these attachments were left out: “notes.txt”",
    ]);
    expect(textOf(other.frames)).toBe("It is so.");
    const quoting = await chat.ask(
      chat.addWorkspace({ chatProvider: "extractive" }),
      "What does this plan of the house show?",
      { attachments: [await keep()] },
    );
    expect(statuses(quoting.frames)).toEqual([
      expect.stringContaining("The built-in answerer can't see images"),
    ]);
  });

  it("are kept by a retry, and deleted with the last turn that uses them", async () => {
    const scope = chat.addWorkspace();
    const attachment = await keep();
    const first = await chat.ask(scope, "What does this plan of the house show?", {
      attachments: [attachment],
    });
    const second = await chat.ask(scope, "What does this plan of the house show?", {
      replaces: first.chatId,
    });
    expect(JSON.stringify(asked().at(-1)!.body)).toContain("image_url");
    const dataSource = await new DataSource({
      type: "postgres",
      url: chat.database.url,
      extra: { options: "-c search_path=chat,public" },
    }).initialize();
    const sweep = () => new AttachmentSweeper(dataSource, chat.blobs).due();
    const released = async (): Promise<number> =>
      (await dataSource.query<unknown[]>("SELECT 1 FROM chat.released_attachment")).length;
    await chat.request(deleteChats, { slug: scope.workspace.slug, chatIds: [first.chatId] }, scope);
    await poll(async () => {
      await sweep();
      return released();
    }).toBe(0);
    expect(await chat.blobs.stat(attachment.blobKey!)).toEqual({ bytes: png.length });
    await chat.request(
      deleteChats,
      { slug: scope.workspace.slug, chatIds: [second.chatId] },
      scope,
    );
    expect((await chat.request(listTurns, { slug: scope.workspace.slug }, scope)).turns).toEqual(
      [],
    );
    await poll(async () => {
      await sweep();
      return chat.blobs.stat(attachment.blobKey!);
    }).toBeNull();
    // Images never used by a turn are deleted after a day; used ones are kept, whatever their age.
    const [unclaimed, fresh, claimed] = [await keep(), await keep(), await keep()];
    await chat.ask(scope, "What does this plan of the house show?", { attachments: [claimed] });
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    for (const { blobKey } of [unclaimed, claimed])
      await utimes(join(chat.home, "blobs", `${blobKey!}.blob`), longAgo, longAgo);
    await sweep();
    expect(
      await Promise.all(
        [unclaimed, fresh, claimed].map(
          async ({ blobKey }) => (await chat.blobs.stat(blobKey!)) !== null,
        ),
      ),
    ).toEqual([false, true, true]);
    await dataSource.destroy();
  });
});
