import { randomUUID } from "node:crypto";
import { cancelGeneration } from "@carrel/contracts";
import { jest } from "@jest/globals";
import { DataSource } from "typeorm";
import { offerTools, toolOf } from "../../test/agent-tools.ts";
import { ChatInstance } from "../../test/chat-instance.ts";
import { Replica } from "../replica/replica.ts";
import { RunLostError, RunStepRepository, type StoredStep } from "./run-step.repository.ts";

let chat: ChatInstance;
let database: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  database = await new DataSource({ type: "postgres", url: chat.database.url }).initialize();
});
afterAll(async () => {
  await database?.destroy();
  await chat?.stop();
});

/** A repository as the replica with this ID has it. */
const stepsOf = (id: string): RunStepRepository =>
  new RunStepRepository(database, Object.assign(new Replica(), { id }));

describe("a call that can't be repeated", () => {
  it("is started once, only under the lease, and no run that missed it can take that back", async () => {
    const tools = offerTools(
      toolOf("mail", () => ({ text: "Sent." }), {
        effect: "send",
        approval: "always",
        isRepeatable: false,
      }),
    );
    const scope = chat.addWorkspace({ chatMode: "automatic" });
    chat.llm.next({ toolCalls: [{ name: "mail", input: {} }] });
    const { generationId, chatId } = await chat.start(scope, "Send it.");
    await chat.read(generationId, {
      until: ({ frame }) => frame.type === "generationStep" && JSON.stringify(frame).includes('"waiting"'), // prettier-ignore
    });
    const [lease] = await database.query<{ owner: string }[]>(
      "SELECT lease_owner AS owner FROM chat.generation WHERE id = $1",
      [generationId],
    );
    const own = stepsOf(lease!.owner);
    const { position, result } = (await own.load(chatId)).find(
      (row): row is Extract<StoredStep, { kind: "tool" }> => row.kind === "tool",
    )!;
    await expect(stepsOf(randomUUID()).start(chatId, position, result)).rejects.toThrow(
      RunLostError,
    );
    const attempts = await Promise.allSettled(
      [1, 2, 3].map(() => own.start(chatId, position, result)),
    );
    expect(attempts.map(({ status }) => status).sort()).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    await expect(own.update(chatId, position, result)).rejects.toThrow(RunLostError);
    const started = { ...result, hasStarted: true };
    await own.update(chatId, position, started);
    expect((await own.load(chatId)).at(-1)).toMatchObject({ result: { hasStarted: true } });
    await chat.request(cancelGeneration, { id: generationId }, scope);
    await chat.read(generationId);
    tools.restore();
  });

  it("is the only one whose end waits for the disk", async () => {
    const tools = offerTools(
      toolOf("look", () => ({ text: "Nothing." })),
      toolOf("write", () => ({ text: "Written." }), { isRepeatable: false }),
    );
    const update = jest.spyOn(RunStepRepository.prototype, "update");
    chat.llm.next({ toolCalls: [{ name: "look", input: {} }, { name: "write", input: {} }] }, { reply: "Done." }); // prettier-ignore
    await chat.ask(chat.addWorkspace({ chatMode: "automatic" }), "Write it.");
    expect(update.mock.calls.map(([, , { step, text }, o]) => [step.tool, text, o])).toEqual([
      ["look", "Nothing.", { mayBeLost: true }],
      ["write", "Written.", { mayBeLost: false }],
    ]);
    update.mockRestore();
    tools.restore();
  });
});
