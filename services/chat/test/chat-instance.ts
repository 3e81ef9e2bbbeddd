import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { instanceShape, loadConfig } from "@carrel/config";
import {
  type AnswerOverrides,
  type Args,
  type ChatMode,
  type Conversation,
  type DomainEvent,
  type EventPayload,
  findThreadId,
  historyItem,
  type HistoryItem,
  instancePrincipal,
  type Operation,
  type Out,
  type Passage,
  type Principal,
  readHistory,
  settingsChanged,
  startGeneration,
  type StoredAttachment,
  workspaceDeleted,
  type WorkspaceScope,
  workspaceUpdated,
  type WorkspaceWire,
} from "@carrel/contracts";
import { eventMessage } from "@carrel/messaging";
import {
  createSharedInfrastructure,
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
import { z } from "zod";
import { chatShape } from "../src/chat.config.ts";
import { chatService } from "../src/index.ts";
import { authStandIn } from "./auth-stand-in.ts";
import { workspaceRow } from "./factories/workspace.ts";
import { Fixture } from "./fixture.ts";
import { ingestStandIn } from "./ingest-stand-in.ts";
import type { ReceivedFrame } from "./received-frame.ts";
import { workspaceStandIn } from "./workspace-stand-in.ts";

const root = new URL("../../../", import.meta.url).pathname;

/**
 * chat on real PostgreSQL and Redis, with a fake model server and stand-ins for the services it
 * calls.
 */
export class ChatInstance {
  readonly fixture = new Fixture();
  readonly replicas: RunningService[] = [];
  readonly blobs: BlobStore;
  private workspaces = 100;
  private readonly standIns: RunningService[] = [];
  private ingest: RunningService | null = null;

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
      await startService(workspaceStandIn(fixture), config, { shared, healthPort: false }),
      await startService(authStandIn(fixture), config, { shared, healthPort: false }),
    );
    await instance.startIngest();
    return instance;
  }

  async startIngest(): Promise<void> {
    const config = loadConfig(instanceShape, this.environment);
    const { fixture, shared } = this;
    this.ingest = await startService(ingestStandIn(fixture), config, { shared, healthPort: false });
  }

  /** Requests to ingest then wait until it is started again. */
  async stopIngest(): Promise<void> {
    await this.ingest?.stop();
    this.ingest = null;
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

  /** Starts a replica in a separate process, as in production. */
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

  /** Adds a new workspace for each test, so that nothing is cached from an earlier one. */
  addWorkspace(part: Partial<WorkspaceWire> = {}, passages: Passage[] = []): WorkspaceScope {
    const id = ++this.workspaces;
    this.fixture.workspaces.set(id, workspaceRow(id, part));
    this.fixture.passages.set(id, passages);
    return { principal: instancePrincipal, workspace: { id, slug: `w${id}` } };
  }

  /** Announces a change like the workspace service: all caches invalidate it. */
  async setWorkspace(scope: WorkspaceScope, part: Partial<WorkspaceWire>): Promise<void> {
    const id = scope.workspace.id;
    this.fixture.workspaces.set(id, { ...this.fixture.workspaces.get(id)!, ...part });
    const { broadcast, connections } = this.shared.messaging;
    await broadcast.publish(`event:${workspaceUpdated.name}`, { workspaceId: id });
    // By the reply, Redis has sent the event to the replicas; they run in this process.
    await connections.commands.ping();
    await sleep(50);
  }

  /** Returns the ID of the caller's thread with this slug, by default their default thread. */
  async threadId(scope: WorkspaceScope, threadSlug: string | null = null): Promise<number> {
    return (await this.request(findThreadId, { threadSlug }, scope)).threadId;
  }

  /** Announces that settings of the instance have changed. */
  async tellAgentSettings(): Promise<void> {
    const { broadcast, connections } = this.shared.messaging;
    await broadcast.publish(`event:${settingsChanged.name}`, {});
    await connections.commands.ping();
    await sleep(50);
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
      mode?: ChatMode;
      attachments?: StoredAttachment[];
      timeZone?: string;
      locale?: string;
      replaces?: number;
      fromStep?: number;
      conversation?: Conversation;
      overrides?: AnswerOverrides;
      /** The request's idempotency key. */
      key?: string;
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
        fromStep: o.fromStep,
        conversation: o.conversation,
        overrides: o.overrides,
      },
      scope,
      o.key,
    );
    return { generationId: started.generationId!, chatId: started.chatId!, queued: started.queued };
  }

  /** Returns the frames after number `after`, up to the stream's end. */
  async read(
    generationId: string,
    o: { after?: number; until?: (frame: ReceivedFrame) => boolean; timeoutMs?: number } = {},
  ): Promise<ReceivedFrame[]> {
    const frames: ReceivedFrame[] = [];
    const signal = AbortSignal.timeout(o.timeoutMs ?? 50_000);
    for await (const { seq, data } of this.shared.messaging.streams.read(`gen:${generationId}`, {
      after: o.after ?? 0,
      signal,
      waitMs: 10_000,
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

  /** What existing clients see of a thread (null: the default thread), checked against the wire. */
  async history(scope: WorkspaceScope, thread: string | null = null): Promise<HistoryItem[]> {
    const { page } = await this.request(readHistory, { thread }, scope);
    const items: unknown = JSON.parse(`[${page!.items}]`);
    const history = z.array(historyItem).parse(items);
    // The contract drops unknown fields, of which there must be none.
    assert.deepStrictEqual(items, history);
    return history;
  }

  async tell<E extends DomainEvent>(event: E, payload: EventPayload<E>): Promise<void> {
    await this.shared.messaging.sender.send(eventMessage(event, payload));
  }

  async deleteWorkspace(scope: WorkspaceScope): Promise<void> {
    await this.tell(workspaceDeleted, { workspaceId: scope.workspace.id });
  }

  async stop(): Promise<void> {
    for (const running of [...this.replicas, ...this.standIns]) await running.stop();
    await this.stopIngest();
    await this.shared.close();
    await Promise.all([
      this.llm.stop(),
      this.redis.stop(),
      this.database.drop(),
      rm(this.home, { recursive: true }),
    ]);
  }
}
