import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Controller, Inject, Module } from "@nestjs/common";
import { instanceShape, loadConfig } from "@carrel/config";
import {
  CarrelError,
  confirmWorkspaceDeleted,
  describePlaces,
  findParsedFiles,
  findPassages,
  findThreadId,
  findWorkspaces,
  getWorkspaceSettings,
  instancePrincipal,
  listContextTexts,
  resolvePromptParts,
  resolveSettings,
  resolveWorkspace,
  searchPassages,
  startGeneration,
  workspaceDeleted,
  workspaceUpdated,
  type Args,
  type DomainEvent,
  type EventPayload,
  type In,
  type Operation,
  type Out,
  type Passage,
  type Principal,
  type StoredAttachment,
  type WorkspaceScope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { Handle, eventMessage, type RequestContext } from "@carrel/messaging";
import {
  createSharedInfrastructure,
  defineService,
  startService,
  type RunningService,
  type SharedInfrastructure,
} from "@carrel/runtime";
import { createBlobStore, type BlobStore } from "@carrel/storage";
import {
  startFakeLlm,
  startTestRedis,
  testDatabase,
  waitFor,
  type FakeLlm,
  type TestDatabase,
  type TestRedis,
} from "@carrel/testing";
import { chatShape } from "../src/chat.config.ts";
import { chatService } from "../src/index.ts";

const root = new URL("../../../", import.meta.url).pathname;

/** A frame as it comes out of the stream, with its number and its bytes. */
export interface ReceivedFrame {
  seq: number;
  data: string;
  frame: Record<string, unknown> & { type?: string };
}

/** What the stand-ins for workspace and ingest answer, by workspace. */
class Fixture {
  readonly workspaces = new Map<number, WorkspaceWire>();
  readonly passages = new Map<number, Passage[]>();
  readonly documentCounts = new Map<number, number>();
  /** Users with role default that may use a workspace; absent: all. */
  readonly members = new Map<number, Set<number>>();
  readonly failingSearches = new Set<number>();
  readonly searches: In<typeof searchPassages>[] = [];
  /** Full texts of a workspace; a file has the thread it belongs to. */
  readonly fullTexts = new Map<
    number,
    (Out<typeof listContextTexts>["texts"][number] & { threadId?: number })[]
  >();
  /** Passages that still live, whoever cites them. */
  readonly living = new Map<number, Passage[]>();
  readonly files = new Map<number, number>();
  /** Full texts of one reply, in characters. */
  pageCharacters = 1_000_000;
  presets: { command: string; prompt: string }[] = [];
  variables: Record<string, string> = {};
  defaultPrompt: string | undefined;
  readonly resolved: (In<typeof resolvePromptParts> & { userId: number | null })[] = [];
  readonly confirmed: In<typeof confirmWorkspaceDeleted>[] = [];
  values: Record<string, string> = {};
  secrets: Record<string, string> = {};
}
const FIXTURE = Symbol("FIXTURE");

@Controller()
class WorkspaceStandIn {
  private readonly fixture: Fixture;
  constructor(@Inject(FIXTURE) fixture: Fixture) {
    this.fixture = fixture;
  }

  @Handle(getWorkspaceSettings)
  async settings(
    _input: In<typeof getWorkspaceSettings>,
    ctx: RequestContext,
  ): Promise<Out<typeof getWorkspaceSettings>> {
    return {
      workspace: this.fixture.workspaces.get(ctx.scope.workspace!.id)!,
      defaultPrompt: this.fixture.defaultPrompt,
    };
  }
  @Handle(resolvePromptParts)
  async parts(
    input: In<typeof resolvePromptParts>,
    ctx: RequestContext,
  ): Promise<Out<typeof resolvePromptParts>> {
    this.fixture.resolved.push({ ...input, userId: ctx.scope.principal.userId });
    return { presets: this.fixture.presets, variables: this.fixture.variables };
  }
  @Handle(resolveWorkspace)
  async find(
    { slug }: In<typeof resolveWorkspace>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof resolveWorkspace>> {
    const found = [...this.fixture.workspaces.values()].find(
      (workspace) => workspace.slug === slug,
    );
    const members = found && this.fixture.members.get(found.id);
    if (!found || (principal.role === "default" && members && !members.has(principal.userId ?? 0)))
      throw new CarrelError("WORKSPACE_NOT_FOUND", "Workspace does not exist.");
    return { scope: { principal, workspace: { id: found.id, slug } } };
  }
  @Handle(findWorkspaces)
  async findMany(
    { ids }: In<typeof findWorkspaces>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof findWorkspaces>> {
    const mayUse = ({ id }: WorkspaceWire): boolean =>
      principal.role !== "default" ||
      (this.fixture.members.get(id)?.has(principal.userId ?? 0) ?? true);
    return {
      workspaces: [...this.fixture.workspaces.values()]
        .filter((workspace) => ids.includes(workspace.id) && mayUse(workspace))
        .map(({ id, name, slug }) => ({ id, name, slug })),
    };
  }
  @Handle(resolveSettings)
  async resolve(): Promise<Out<typeof resolveSettings>> {
    return { values: this.fixture.values, secrets: this.fixture.secrets, version: 1 };
  }
  @Handle(confirmWorkspaceDeleted)
  async confirm(
    input: In<typeof confirmWorkspaceDeleted>,
  ): Promise<Out<typeof confirmWorkspaceDeleted>> {
    this.fixture.confirmed.push(input);
    return {};
  }
}

@Controller()
class IngestStandIn {
  private readonly fixture: Fixture;
  constructor(@Inject(FIXTURE) fixture: Fixture) {
    this.fixture = fixture;
  }

  @Handle(searchPassages)
  async search(
    input: In<typeof searchPassages>,
    ctx: RequestContext,
  ): Promise<Out<typeof searchPassages>> {
    const id = ctx.scope.workspace!.id;
    this.fixture.searches.push(input);
    if (this.fixture.failingSearches.has(id)) throw new Error("the index is on fire");
    const passages = (this.fixture.passages.get(id) ?? [])
      .filter(
        (passage) =>
          !input.excludeDocumentIds.includes(passage.documentId) &&
          passage.score >= input.similarityThreshold,
      )
      .slice(0, input.topN);
    const documents = [...new Set(passages.map((passage) => passage.documentId))];
    return {
      passages,
      documentCount: this.fixture.documentCounts.get(id) ?? (passages.length > 0 ? 1 : 0),
      dense: false,
      milliseconds: 1,
      trace:
        input.trace === 0
          ? null
          : {
              query: input.query,
              words: [{ text: "pump", weight: 1, found: true }],
              expansion: [],
              filter: input.filter,
              threshold: input.similarityThreshold,
              topN: input.topN,
              documentCount: 1,
              embedder: null,
              denseShare: 0,
              rerank: {
                kind: input.rerank ? "built-in" : null,
                model: null,
                count: 0,
                milliseconds: 0,
                fault: null,
              },
              candidateCount: passages.length,
              milliseconds: 1,
              documents,
              candidates: passages.map((passage, index) => [
                documents.indexOf(passage.documentId),
                passage.start,
                passage.end,
                null,
                null,
                passage.score,
                index + 1,
                passage.score,
                1,
                index + 1,
                null,
                0,
                null,
              ]),
            },
    };
  }

  @Handle(describePlaces)
  async describe(
    { places }: In<typeof describePlaces>,
    ctx: RequestContext,
  ): Promise<Out<typeof describePlaces>> {
    const known = this.fixture.passages.get(ctx.scope.workspace!.id) ?? [];
    return {
      places: places.map(({ documentId }) => {
        const passage = known.find((each) => each.documentId === documentId);
        return passage === undefined
          ? null
          : {
              title: passage.title,
              docpath: passage.docpath,
              page: passage.page,
              headingPath: passage.headingPath,
              excerpt: passage.text.slice(0, 300),
            };
      }),
    };
  }

  /** As ingest does it: in pages, a long text over several of them. */
  @Handle(listContextTexts)
  async texts(
    { threadId, maximumCharacters, after }: In<typeof listContextTexts>,
    ctx: RequestContext,
  ): Promise<Out<typeof listContextTexts>> {
    let room = maximumCharacters;
    const all = (this.fixture.fullTexts.get(ctx.scope.workspace!.id) ?? []).filter(
      (text) => text.kind === "pinned" || text.threadId === threadId,
    );
    const pieces = all.flatMap((text) => {
      const whole = text.text.slice(0, Math.max(0, room));
      room -= whole.length;
      return Array.from(
        { length: Math.ceil(whole.length / this.fixture.pageCharacters) },
        (_, index) => ({
          ...text,
          text: whole.slice(
            index * this.fixture.pageCharacters,
            (index + 1) * this.fixture.pageCharacters,
          ),
        }),
      );
    });
    const place = after === null ? 0 : Number(after);
    return {
      texts: pieces.slice(place, place + 1),
      next: place + 1 < pieces.length ? String(place + 1) : null,
    };
  }
  @Handle(findPassages)
  async living(
    { sources }: In<typeof findPassages>,
    ctx: RequestContext,
  ): Promise<Out<typeof findPassages>> {
    const living = this.fixture.living.get(ctx.scope.workspace!.id) ?? [];
    return {
      passages: sources.flatMap(({ id }) =>
        living
          .filter((passage) => passage.chunkId === id)
          .map((passage) => ({ ...passage, score: 0, denseScore: null, textScore: null })),
      ),
    };
  }
  @Handle(findParsedFiles)
  async files({ threadId }: In<typeof findParsedFiles>): Promise<Out<typeof findParsedFiles>> {
    const tokenCountEstimate = this.fixture.files.get(threadId);
    const file = {
      id: 1,
      filename: "a.txt",
      workspaceId: 1,
      userId: null,
      threadId,
      metadata: "{}",
      createdAt: "2026-11-21T00:00:00.000Z",
      title: "a.txt",
      location: "a.txt",
      documentId: randomUUID(),
      reason: null,
    };
    return {
      files:
        tokenCountEstimate === undefined
          ? []
          : [
              { ...file, tokenCountEstimate, state: "parsed" },
              { ...file, tokenCountEstimate: 1_000, state: "queued" },
            ],
    };
  }
}

const standIn = (
  name: "workspace" | "ingest",
  controller: typeof WorkspaceStandIn | typeof IngestStandIn,
  operations: Operation[],
  fixture: Fixture,
) => {
  class StandInModule {}
  Module({ controllers: [controller], providers: [{ provide: FIXTURE, useValue: fixture }] })(
    StandInModule,
  );
  return defineService({
    name,
    module: StandInModule,
    contracts: { operations, jobs: [], events: [] },
  });
};

/**
 * chat on real PostgreSQL and Redis, a fake model server, and stand-ins for the services it calls.
 */
export class ChatInstance {
  readonly fixture = new Fixture();
  readonly replicas: RunningService[] = [];
  readonly blobs: BlobStore;
  private workspaces = 100;
  private readonly standIns: RunningService[] = [];

  private constructor(
    readonly database: TestDatabase,
    readonly redis: TestRedis,
    readonly llm: FakeLlm,
    readonly environment: Record<string, string>,
    readonly shared: SharedInfrastructure,
    readonly home: string,
  ) {
    this.blobs = createBlobStore({ kind: "disk", root: join(home, "blobs") });
  }

  static async start(): Promise<ChatInstance> {
    const [database, redis, llm] = await Promise.all([
      testDatabase(),
      startTestRedis(),
      startFakeLlm({ apiKey: "fake-key" }),
    ]);
    const home = await mkdtemp(join(tmpdir(), "carrel-chat-"));
    const environment = {
      CARREL_HOME: home,
      CARREL_SECRET: randomUUID() + randomUUID(),
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      CARREL_LOG_LEVEL: process.env.CARREL_TEST_LOG ?? "silent",
    };
    const instance = new ChatInstance(
      database,
      redis,
      llm,
      environment,
      createSharedInfrastructure(loadConfig(instanceShape, environment)),
      home,
    );
    const { fixture, shared } = instance;
    fixture.values = {
      LLMProvider: "generic-openai",
      GenericOpenAiBasePath: `${llm.url}/v1`,
      GenericOpenAiModelPref: "fake-model",
      GenericOpenAiTokenLimit: "8192",
      OllamaLLMBasePath: "http://127.0.0.1:9",
      OllamaLLMModelPref: "none",
    };
    fixture.secrets = { GenericOpenAiKey: shared.secretBox.seal("fake-key") };
    const config = loadConfig(instanceShape, environment);
    instance.standIns.push(
      await startService(
        standIn(
          "workspace",
          WorkspaceStandIn,
          [
            findWorkspaces,
            getWorkspaceSettings,
            resolvePromptParts,
            resolveWorkspace,
            resolveSettings,
            confirmWorkspaceDeleted,
          ],
          fixture,
        ),
        config,
        { shared, healthPort: false },
      ),
      await startService(
        standIn(
          "ingest",
          IngestStandIn,
          [searchPassages, listContextTexts, findPassages, describePlaces, findParsedFiles],
          fixture,
        ),
        config,
        { shared, healthPort: false },
      ),
    );
    return instance;
  }

  async startReplica(environment: Record<string, string> = {}): Promise<RunningService> {
    const replica = await startService(
      chatService,
      loadConfig({ ...instanceShape, ...chatShape }, { ...this.environment, ...environment }),
      { healthPort: false },
    );
    this.replicas.push(replica);
    return replica;
  }

  /** A replica as a process of its own, as in production. */
  async spawnReplica(): Promise<ChildProcess> {
    const child = spawn(
      process.execPath,
      [
        "--import",
        `${root}tools/swc-hook.mjs`,
        "--conditions=@carrel/source",
        `${root}services/chat/src/main.ts`,
      ],
      {
        cwd: root,
        env: { PATH: process.env.PATH, ...this.environment, CARREL_LOG_LEVEL: "info" },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let log = "";
    child.stdout!.on("data", (data: Buffer) => {
      log += data.toString();
    });
    await waitFor(
      () => {
        if (child.exitCode !== null) throw new Error(`the replica ended: ${log}`);
        return log.includes('"ready"');
      },
      { timeoutMs: 120_000, what: "the replica" },
    );
    return child;
  }

  /** A workspace of its own for each test, so that nothing is cached from another. */
  addWorkspace(part: Partial<WorkspaceWire> = {}, passages: Passage[] = []): WorkspaceScope {
    const id = ++this.workspaces;
    const date = "2026-11-21T00:00:00.000Z";
    this.fixture.workspaces.set(id, {
      id,
      name: `w${id}`,
      slug: `w${id}`,
      vectorTag: null,
      createdAt: date,
      openAiTemp: null,
      openAiHistory: 20,
      lastUpdatedAt: date,
      openAiPrompt: null,
      similarityThreshold: 0.25,
      chatProvider: null,
      chatModel: null,
      topN: 4,
      chatMode: "chat",
      pfpFilename: null,
      agentProvider: null,
      agentModel: null,
      queryRefusalResponse: null,
      vectorSearchMode: "default",
      router_id: null,
      ...part,
    });
    this.fixture.passages.set(id, passages);
    return { principal: instancePrincipal, workspace: { id, slug: `w${id}` } };
  }

  /** As the workspace service tells a change: all caches drop it. */
  async setWorkspace(scope: WorkspaceScope, part: Partial<WorkspaceWire>): Promise<void> {
    const id = scope.workspace.id;
    this.fixture.workspaces.set(id, { ...this.fixture.workspaces.get(id)!, ...part });
    await this.shared.messaging.broadcast.publish(`event:${workspaceUpdated.name}`, {
      workspaceId: id,
    });
    await sleep(50);
  }

  /** Id of the own default thread. */
  async threadId(scope: WorkspaceScope, threadSlug: string | null = null): Promise<number> {
    return (await this.request(findThreadId, { threadSlug }, scope)).threadId;
  }

  as(scope: WorkspaceScope, principal: Principal): WorkspaceScope {
    return { ...scope, principal };
  }

  request<Op extends Operation>(
    operation: Op,
    input: Args<Op>,
    scope: WorkspaceScope,
    idempotencyKey?: string,
  ): Promise<Out<Op>> {
    return this.shared.messaging.client.request(operation, input, { scope, idempotencyKey });
  }

  async start(
    scope: WorkspaceScope,
    message: string,
    o: {
      threadSlug?: string;
      mode?: "chat" | "query";
      attachments?: StoredAttachment[];
      timeZone?: string;
      locale?: string;
      replaces?: number;
    } = {},
  ): Promise<{ generationId: string; chatId: number; queued: boolean }> {
    const started = await this.request(
      startGeneration,
      {
        threadSlug: o.threadSlug ?? null,
        message,
        mode: o.mode,
        attachments: o.attachments ?? [],
        timeZone: o.timeZone,
        locale: o.locale,
        replaces: o.replaces,
      },
      scope,
    );
    return { generationId: started.generationId!, chatId: started.chatId!, queued: started.queued };
  }

  /** Frames after number `after`, to the stream's end. */
  async read(
    generationId: string,
    o: { after?: number; until?: (frame: ReceivedFrame) => boolean; timeoutMs?: number } = {},
  ): Promise<ReceivedFrame[]> {
    const frames: ReceivedFrame[] = [];
    const signal = AbortSignal.timeout(o.timeoutMs ?? 20_000);
    for await (const { seq, data } of this.shared.messaging.streams.read(`gen:${generationId}`, {
      after: o.after ?? 0,
      signal,
      waitMs: 2_000,
    })) {
      const received = { seq, data, frame: JSON.parse(data) as ReceivedFrame["frame"] };
      frames.push(received);
      if (o.until?.(received)) return frames;
    }
    if (signal.aborted)
      throw new Error(`the stream did not end: ${frames.map((frame) => frame.data).join("\n")}`);
    return frames;
  }

  /** Asks and waits for the end. */
  async ask(
    scope: WorkspaceScope,
    message: string,
    o: Parameters<ChatInstance["start"]>[2] = {},
  ): Promise<{ generationId: string; chatId: number; queued: boolean; frames: ReceivedFrame[] }> {
    const started = await this.start(scope, message, o);
    return { ...started, frames: await this.read(started.generationId) };
  }

  async tell<E extends DomainEvent>(event: E, payload: EventPayload<E>): Promise<void> {
    await this.shared.messaging.sender.send(eventMessage(event, payload));
  }

  async deleteWorkspace(scope: WorkspaceScope): Promise<void> {
    await this.tell(workspaceDeleted, { workspaceId: scope.workspace.id });
  }

  async stop(): Promise<void> {
    for (const running of [...this.replicas, ...this.standIns]) await running.stop();
    await this.shared.close();
    await Promise.all([
      this.llm.stop(),
      this.redis.stop(),
      this.database.drop(),
      rm(this.home, { recursive: true }),
    ]);
  }
}

/** What existing clients get of them. */
export const wireFrames = (frames: ReceivedFrame[]): ReceivedFrame["frame"][] =>
  frames.map(({ frame }) => frame).filter((frame) => frame.type?.startsWith("generation") !== true);
export const textOf = (frames: ReceivedFrame[]): string =>
  frames
    .filter(({ frame }) => frame.type === "textResponseChunk")
    .map(({ frame }) => frame.textResponse as string)
    .join("");
