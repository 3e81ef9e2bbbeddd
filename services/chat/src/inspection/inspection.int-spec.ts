import { randomUUID } from "node:crypto";
import {
  deleteChats,
  inspectTurn,
  tryRetrieval,
  type Inspection,
  type Passage,
  type Principal,
  type WorkspaceScope,
} from "@carrel/contracts";
import { createDataSource } from "@carrel/database";
import { waitFor } from "@carrel/testing";
import type { DataSource } from "typeorm";
import { ChatInstance } from "../../test/chat-instance.ts";
import { passageOf } from "../../test/factories/passage.ts";
import { InspectionRepository } from "./inspection-keeper.ts";

let chat: ChatInstance;
let source: DataSource;
beforeAll(async () => {
  chat = await ChatInstance.start();
  await chat.startReplica();
  source = createDataSource(
    chat.database.url,
    { schema: "chat", entities: [], migrations: [] },
    { poolSize: 1 },
  );
  await source.initialize();
});
afterAll(async () => {
  await source?.destroy();
  await chat.stop();
});
beforeEach(() => {
  chat.llm.behave({ reply: "It runs at 48 °C [1]." });
});

const passagesWith = (count: number): Passage[] =>
  Array.from({ length: count }, (_, index) =>
    passageOf({
      chunkId: randomUUID(),
      documentId: randomUUID(),
      title: `p${index}.txt`,
      text: `Passage number ${index} speaks of pumps.`,
      score: 0.9 - index / 10,
    }),
  );
const inspect = async (scope: WorkspaceScope, chatId: number): Promise<Inspection | null> =>
  (await chat.request(inspectTurn, { slug: scope.workspace.slug, chatId }, scope)).inspection;
/** The record is written after the end of the answer, so wait for it. */
const kept = (scope: WorkspaceScope, chatId: number): Promise<Inspection> =>
  waitFor(() => inspect(scope, chatId), { what: "the inspection of an answer" });
const person = (userId: number): Principal => ({ kind: "user", userId, role: "default" });

describe("inspection of an answer", () => {
  it("reports what was searched, found, given to the model and shown", async () => {
    const scope = chat.addWorkspace({ topN: 2 }, passagesWith(3));
    chat.fixture.fullTexts.set(scope.workspace.id, [
      {
        kind: "pinned",
        documentId: randomUUID(),
        title: "rules.txt",
        published: "",
        mime: "text/plain",
        url: "",
        docAuthor: "",
        description: "",
        docSource: "",
        chunkSource: "",
        wordCount: 3,
        token_count_estimate: 4,
        text: "Quiet hours begin at ten.",
      },
    ]);
    await chat.ask(scope, "Who has looked after the pumps since spring?");
    const { chatId } = await chat.ask(scope, "What is the flow temperature of these pumps?");
    const inspection = await kept(scope, chatId);
    expect(inspection).toMatchObject({
      question: "What is the flow temperature of these pumps?",
      mode: "chat",
      provider: expect.any(String),
      model: expect.any(String),
    });
    expect(
      inspection.searches.map(({ query, isRewritten }) => [query.split("\n").length, isRewritten]),
    ).toEqual([
      [2, true],
      [1, false],
    ]);
    expect(inspection.searches[0]!.candidates[0]).toMatchObject({
      place: 1,
      title: "p0.txt",
      excerpt: "Passage number 0 speaks of pumps.",
      score: 0.9,
      textPlace: 1,
      fate: "kept",
    });
    expect(
      inspection.passages.map(({ origin, title, fate, source: number }) => [
        origin,
        title,
        fate,
        number,
      ]),
    ).toEqual([
      ["pinned", null, "whole", 1],
      ["found", "p0.txt", "whole", 2],
      ["found", "p1.txt", "whole", 3],
    ]);
    const { tokens, turns, basis, isCut } = inspection.prompt!;
    expect(turns).toEqual({ given: 1, kept: 1 });
    expect([isCut, basis]).toEqual([false, "reported"]);
    for (const part of ["system", "pinned", "passages", "history", "question"] as const)
      expect(tokens[part]).toBeGreaterThan(0);
    expect(tokens.total).toBe(
      tokens.system +
        tokens.pinned +
        tokens.files +
        tokens.passages +
        tokens.history +
        tokens.question +
        tokens.images,
    );
    expect(tokens.passages).toBeGreaterThan(tokens.question);
  });

  it("reports every search of an agent, and what it found", async () => {
    const scope = chat.addWorkspace({ chatMode: "automatic" }, passagesWith(2));
    const search = (input: Record<string, unknown>) => ({
      toolCalls: [{ name: "search-documents", input }],
    });
    chat.llm.next(
      search({ query: "pumps since spring" }),
      search({ query: "boilers", folder: "plans", types: ["pdf"] }),
      { reply: "Both." },
    );
    const { chatId } = await chat.ask(scope, "What is there?");
    const { mode, searches } = await kept(scope, chatId);
    expect(mode).toBe("automatic");
    expect(searches).toMatchObject([
      { query: "pumps since spring", isRewritten: false },
      { query: "boilers", filter: { folders: ["plans"], types: ["pdf"] } },
    ]);
    for (const { candidates } of searches)
      expect(candidates.map(({ title, fate }) => [title, fate])).toEqual([
        ["p0.txt", "kept"],
        ["p1.txt", "kept"],
      ]);
  });

  it("shows nothing of another agent's searches", async () => {
    const searches: string[][] = [];
    for (const query of ["first", "second"]) {
      const scope = chat.addWorkspace({ chatMode: "automatic" }, passagesWith(1));
      chat.llm.next(
        { toolCalls: [{ name: "search-documents", input: { query } }] },
        { reply: "Found." },
      );
      const { chatId } = await chat.ask(scope, "What is there?");
      searches.push((await kept(scope, chatId)).searches.map((search) => search.query));
    }
    expect(searches).toEqual([["first"], ["second"]]);
  });

  it("covers the built-in answerer and a refusal", async () => {
    const scope = chat.addWorkspace({ chatProvider: "extractive" }, [
      passageOf(),
      passageOf({
        chunkId: randomUUID(),
        documentId: randomUUID(),
        title: "cake.txt",
        text: "Apples and cinnamon.",
        score: 0.3,
      }),
    ]);
    const { chatId } = await chat.ask(
      scope,
      "At how many degrees do radiators cover the room load?",
    );
    const inspection = await kept(scope, chatId);
    expect(inspection.prompt).toBeNull();
    expect(
      inspection.passages.map(({ title, fate, source: number }) => [title, fate, number]),
    ).toEqual([
      ["survey.txt", "whole", 1],
      ["cake.txt", "not-quoted", null],
    ]);
    expect(inspection.searches[0]!.candidates.map(({ fate }) => fate)).toEqual([
      "kept",
      "not-quoted",
    ]);
    const empty = chat.addWorkspace({ chatMode: "query" }, []);
    const refused = await chat.ask(empty, "What is the flow temperature of the pump?");
    expect(await kept(empty, refused.chatId)).toMatchObject({
      mode: "query",
      passages: [],
      prompt: null,
    });
  });

  it("is visible to its owner only, and deleted with the turn", async () => {
    const scope = chat.addWorkspace({}, passagesWith(1));
    const [mine, other] = [chat.as(scope, person(7)), chat.as(scope, person(8))];
    const { chatId } = await chat.ask(mine, "What is the flow temperature of the pump?");
    await kept(mine, chatId);
    for (const stranger of [other, scope, chat.as(chat.addWorkspace(), person(7))])
      await expect(inspect(stranger, chatId)).rejects.toMatchObject({ kind: "NOT_FOUND" });
    await expect(inspect(mine, 2_000_000_000)).rejects.toMatchObject({ kind: "NOT_FOUND" });
    // Names and texts are read on request, so nothing remains of a removed document.
    chat.fixture.passages.set(scope.workspace.id, []);
    const later = (await inspect(mine, chatId))!;
    expect(later.searches[0]!.candidates[0]).toMatchObject({
      title: null,
      docpath: null,
      excerpt: "",
    });
    await chat.request(deleteChats, { slug: scope.workspace.slug, chatIds: [chatId] }, mine);
    expect(
      await source.query("SELECT 1 FROM chat.turn_inspection WHERE turn_id = $1", [chatId]),
    ).toEqual([]);
  });

  it("is pruned by age and by count", async () => {
    const scope = chat.addWorkspace({}, passagesWith(1));
    const ids: number[] = [];
    for (const question of [
      "What is the flow temperature of the pump?",
      "When was the pump in the cellar installed?",
      "Who looks after the pump in winter?",
    ])
      ids.push((await chat.ask(scope, question)).chatId);
    for (const id of ids) await kept(scope, id);
    await source.query(
      `UPDATE chat.turn_inspection SET created_at = now() - interval '31 days' WHERE turn_id = $1`,
      [ids[2]],
    );
    await source.query("SET search_path TO chat");
    const repository = new InspectionRepository(source);
    await repository.prune(30, 100_000);
    const left = async (): Promise<number[]> =>
      (
        await source.query<{ turn_id: number }[]>(
          "SELECT turn_id FROM chat.turn_inspection WHERE turn_id = ANY($1::int[]) ORDER BY 1",
          [ids],
        )
      ).map((row) => row.turn_id);
    expect(await left()).toEqual([ids[0], ids[1]]);
    await repository.prune(30, 1);
    expect(await left()).toEqual([ids[1]]);
    expect(await inspect(scope, ids[2]!)).toBeNull();
  });
});

describe("retrieval trial", () => {
  const attempt = async (scope: WorkspaceScope, input: object): Promise<Inspection> =>
    (
      await chat.request(
        tryRetrieval,
        {
          slug: scope.workspace.slug,
          question: "What is the flow temperature of the pump?",
          ...input,
        },
        scope,
      )
    ).inspection;

  it("searches with the workspace's settings, and writes nothing", async () => {
    const scope = chat.addWorkspace(
      { topN: 2, similarityThreshold: 0.4, vectorSearchMode: "rerank" },
      passagesWith(3),
    );
    const inspection = await attempt(scope, {});
    expect(chat.fixture.searches.at(-1)).toMatchObject({
      topN: 2,
      similarityThreshold: 0.4,
      rerank: true,
      mode: "hybrid",
      expansion: true,
      filter: {},
    });
    expect(inspection.passages.map(({ title, fate }) => [title, fate])).toEqual([
      ["p0.txt", "whole"],
      ["p1.txt", "whole"],
    ]);
    const texts = ["Passage number 0 speaks of pumps.", "Passage number 1 speaks of pumps."];
    expect(inspection.passages.map(({ excerpt }) => excerpt)).toEqual(texts);
    expect(inspection.searches[0]!.candidates).toMatchObject([
      { title: "p0.txt", docpath: expect.any(String) as string, excerpt: texts[0] },
      { title: "p1.txt", docpath: expect.any(String) as string, excerpt: texts[1] },
    ]);
    expect(inspection.prompt).toMatchObject({ basis: "estimated", turns: { given: 0, kept: 0 } });
    expect(inspection.prompt!.tokens.system).toBeGreaterThan(0);
    expect(
      await source.query("SELECT 1 FROM chat.turn WHERE workspace_id = $1", [scope.workspace.id]),
    ).toEqual([]);
  });

  it("accepts overrides and the previous question", async () => {
    const scope = chat.addWorkspace({}, passagesWith(3));
    const filter = { folders: ["house"], tags: ["winter"], addedFrom: "2026-01-01" };
    const inspection = await attempt(scope, {
      question: "And how warm is it?",
      previousQuestion: "Which pump is in the cellar?",
      topN: 1,
      similarityThreshold: 0,
      mode: "text",
      expansion: false,
      rerank: false,
      filter,
    });
    expect(chat.fixture.searches.at(-1)).toMatchObject({
      topN: 1,
      similarityThreshold: 0,
      rerank: false,
      mode: "text",
      expansion: false,
      filter,
    });
    expect(inspection.searches[0]).toMatchObject({
      isRewritten: true,
      query: "Which pump is in the cellar?\nAnd how warm is it?",
      filter,
    });
    expect(inspection.passages).toHaveLength(1);
    const quoting = chat.addWorkspace({ chatProvider: "extractive" }, passagesWith(1));
    expect((await attempt(quoting, {})).prompt).toBeNull();
    await expect(attempt(scope, { question: "\0" })).rejects.toMatchObject({ kind: "BAD_INPUT" });
  });
});
