import { randomUUID } from "node:crypto";
import { Controller } from "@nestjs/common";
import {
  attachGeneration,
  cancelGeneration,
  CarrelError,
  findParsedFiles,
  getContextWindow,
  getThreadGeneration,
  resolveWorkspace,
  startGeneration,
  type In,
  type Out,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import {
  Handle,
  keyed,
  RequestClient,
  StreamGoneError,
  Streams,
  type RequestContext,
} from "@carrel/messaging";
import { DataSource } from "typeorm";
import { retryDeadlock } from "../database/in-transaction.ts";
import { hasNullCharacter, stripNullCharacters } from "../database/null-character.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { noneStopped, TurnBranches, type StoppedGenerations } from "../turn/turn-branches.ts";
import { TurnChanges } from "../turn/turn-changes.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { countQuestion, findDailyLimit, limitMessage } from "./daily-limit.ts";
import { abortFrame, rebuildFrames, resetFrame } from "./frames.ts";
import { streamKey } from "./generation-output.ts";
import { GenerationRunner, leaseSeconds } from "./generation-runner.ts";
import { GenerationRepository, type RunnableGeneration } from "./generation.repository.ts";
import { LanguageModels } from "../model/language-models.ts";
import { SettingsCache } from "../setting/settings-cache.ts";

/** The thread name in a route that means the default thread. */
const defaultThread = "default";
/**
 * Streams stay this long after their end; later answers come from PostgreSQL without asking Redis.
 */
const streamLifeMs = 290_000;

@Controller()
export class GenerationHandler {
  private readonly dataSource: DataSource;
  private readonly repository: GenerationRepository;
  private readonly threads: ThreadRepository;
  private readonly runner: GenerationRunner;
  private readonly streams: Streams;
  private readonly settings: SettingsCache;
  private readonly models: LanguageModels;
  private readonly requests: RequestClient;
  private readonly branches: TurnBranches;
  private readonly changes: TurnChanges;

  constructor(
    dataSource: DataSource,
    repository: GenerationRepository,
    threads: ThreadRepository,
    runner: GenerationRunner,
    streams: Streams,
    settings: SettingsCache,
    models: LanguageModels,
    requests: RequestClient,
    branches: TurnBranches,
    changes: TurnChanges,
  ) {
    this.dataSource = dataSource;
    this.repository = repository;
    this.threads = threads;
    this.runner = runner;
    this.streams = streams;
    this.settings = settings;
    this.models = models;
    this.requests = requests;
    this.branches = branches;
    this.changes = changes;
  }

  @Handle(startGeneration)
  async start(
    given: In<typeof startGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof startGeneration>> {
    const input = { ...given, message: stripNullCharacters(given.message) };
    if (given.threadSlug !== null && hasNullCharacter(given.threadSlug)) throw noThread();
    const scope = inWorkspace(ctx.scope);
    if (/^\/reset/i.test(input.message)) return this.reset(input, ctx);
    const asked = {
      requestedMode: input.mode ?? null,
      timeZone: stripOrNull(input.timeZone),
      locale: stripOrNull(input.locale),
    };
    const release = this.runner.reserve();
    // Beside the transaction: settings and, for a question that stands alone, its search (not where
    // a limit may refuse it). No provider is called yet.
    const limit = findDailyLimit(scope.principal);
    const search =
      release === null || limit !== null ? null : this.runner.beginSearch(scope, input.message);
    let pending: { generation: RunnableGeneration; isRunning: boolean } | null = null;
    let stopped: StoppedGenerations = noneStopped;
    try {
      const reply = await retryDeadlock(() =>
        keyed(this.dataSource, ctx, async (manager): Promise<Out<typeof startGeneration>> => {
          if (!(await countQuestion(manager, scope.principal))) {
            if (
              input.threadSlug !== null &&
              (await this.threads.find(scope, input.threadSlug, manager)) === null
            )
              throw noThread();
            return {
              generationId: null,
              chatId: null,
              queued: false,
              frames: [abortFrame(randomUUID(), limitMessage(limit!))],
            };
          }
          const threadId = await this.repository.lockThread(manager, scope, input.threadSlug);
          if (threadId === null) throw noThread();
          const id = randomUUID();
          const branch =
            input.replaces == null
              ? null
              : await this.branches.replace(manager, scope, threadId, input.replaces);
          if (branch !== null) stopped = branch.stopped;
          // An edit and another try keep the images that came with the question.
          const attachments =
            input.replaces != null && input.attachments.length === 0
              ? await this.repository.findAttachments(manager, threadId, input.replaces)
              : input.attachments;
          const { turnId, running } = await this.repository.insertPending(manager, {
            parentId: branch?.parentId,
            id,
            threadId,
            scope,
            question: input.message,
            attachments,
            ...asked,
            owner: this.runner.owner,
            mayRun: release !== null,
            leaseSeconds,
          });
          pending = {
            generation: {
              id,
              turnId,
              threadId,
              scope,
              ...asked,
              question: input.message,
              attachments,
              search: running ? search : null,
            },
            isRunning: running,
          };
          return { generationId: id, chatId: turnId, queued: !running, frames: [] };
        }),
      );
      // After the commit: what it parked ends first, with its text.
      await this.branches.end(stopped);
      this.begin(pending);
      return reply;
    } finally {
      release?.();
    }
  }

  /**
   * Only what this delivery wrote is started; a second delivery of the same request finds it under
   * way.
   */
  private begin(pending: { generation: RunnableGeneration; isRunning: boolean } | null): void {
    if (pending !== null) this.runner.begin(pending.generation, pending.isRunning);
  }

  private async reset(
    input: In<typeof startGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof startGeneration>> {
    const scope = inWorkspace(ctx.scope);
    let threadId: number | null = null;
    const told = await keyed(this.dataSource, ctx, async (manager) => {
      threadId = await this.repository.lockThread(manager, scope, input.threadSlug);
      if (threadId === null) throw noThread();
      await this.threads.hideHistory(manager, scope, threadId);
      return {
        generationId: null,
        chatId: null,
        queued: false,
        frames: [resetFrame(randomUUID())],
      };
    });
    if (threadId !== null) this.changes.tell(scope, threadId);
    return told;
  }

  @Handle(attachGeneration)
  async attach(
    input: In<typeof attachGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof attachGeneration>> {
    await this.requireUsable(ctx.scope, input.generationId);
    const found = await this.repository.findOwn(ctx.scope, input.generationId);
    if (found === null) throw noGeneration();
    const isOld =
      found.finishedAt !== null && Date.now() - found.finishedAt.getTime() > streamLifeMs;
    const isUnfinished = found.state === "queued" || found.state === "running";
    if (!isOld && (await this.isReadable(input.generationId, isUnfinished, ctx.signal)))
      return { chatId: found.turnId, state: found.state, frames: null };
    const answer = this.runner.findText(input.generationId) ?? found.answer;
    return {
      chatId: found.turnId,
      state: found.state,
      frames: rebuildFrames({ ...found, generationId: found.id, chatId: found.turnId, answer }),
    };
  }

  /**
   * Whether the stream holds everything from the first part on: to its end, or, while it runs, to
   * what is there now.
   */
  private async isReadable(
    generationId: string,
    isUnfinished: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(isUnfinished ? 5_000 : 1_000)]);
    // null: it has ended, so its reading ends by itself.
    const last = isUnfinished
      ? (await this.streams.resumeWriter(streamKey(generationId)))?.last
      : undefined;
    if (last === 0) return false;
    let parts = 0;
    try {
      for await (const part of this.streams.read(streamKey(generationId), {
        after: 0,
        signal: patience,
      })) {
        parts = part.seq;
        if (parts === last) return true;
      }
    } catch (error) {
      if (error instanceof StreamGoneError) return false;
      throw error;
    }
    return isUnfinished ? parts > 0 : !patience.aborted;
  }

  /**
   * The routes of a generation name no workspace, so the guard has not looked: the caller's own, in
   * a workspace that a member may have had to leave.
   */
  private async requireUsable(scope: Scope, generationId: string): Promise<void> {
    const workspace = await this.repository.findWorkspace(scope, generationId);
    if (workspace === null) throw noGeneration();
    // Managers, admins, keys and the instance use every workspace.
    if (scope.principal.role !== "default") return;
    try {
      const found = await this.requests.request(
        resolveWorkspace,
        { slug: workspace.slug },
        { scope: { principal: scope.principal, workspace: null } },
      );
      if (found.scope.workspace?.id === workspace.id) return;
    } catch (error) {
      if (!(error instanceof CarrelError) || error.code !== "WORKSPACE_NOT_FOUND") throw error;
    }
    throw noGeneration();
  }

  @Handle(cancelGeneration)
  async cancel(
    input: In<typeof cancelGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof cancelGeneration>> {
    await this.requireUsable(ctx.scope, input.id);
    const found = await this.repository.requestCancel(ctx.scope, input.id);
    if (found === null) throw noGeneration();
    if (found.state === "running") this.runner.stop([input.id]);
    if (found.state === "cancelled") {
      // It waited: nobody runs it, so its end is written here.
      await this.runner.writeEnd({
        generationId: input.id,
        chatId: found.turnId,
        state: "cancelled",
        answer: "",
        notices: [],
        sources: [],
        metrics: null,
        error: null,
        refused: false,
      });
      this.runner.tell(
        {
          id: input.id,
          threadId: found.threadId,
          workspaceId: found.workspaceId,
          userId: ctx.scope.principal.userId,
        },
        "cancelled",
      );
    }
    return { success: true };
  }

  @Handle(getThreadGeneration)
  async getCurrent(
    input: In<typeof getThreadGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof getThreadGeneration>> {
    const scope = inWorkspace(ctx.scope);
    const slug = input.threadSlug === defaultThread ? null : input.threadSlug;
    const thread = await this.threads.find(scope, slug);
    if (thread === null) {
      if (slug === null) return { generation: null };
      throw noThread();
    }
    const current = await this.repository.findCurrent(scope, thread.id);
    return {
      generation:
        current === null ? null : { id: current.id, chatId: current.turnId, state: current.state },
    };
  }

  @Handle(getContextWindow)
  async getWindow(
    input: In<typeof getContextWindow>,
    ctx: RequestContext,
  ): Promise<Out<typeof getContextWindow>> {
    const scope = inWorkspace(ctx.scope);
    const [workspace, instance, currentContextTokenCount] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
      this.countFileTokens(scope, input.threadId ?? null),
    ]);
    return {
      contextWindow: this.models.findContextWindow(workspace, instance),
      currentContextTokenCount,
    };
  }

  /** Tokens of the files that were dropped on a thread; null: the own default thread. */
  private async countFileTokens(scope: WorkspaceScope, threadId: number | null): Promise<number> {
    const thread = threadId ?? (await this.threads.find(scope, null))?.id ?? null;
    if (thread === null) return 0;
    try {
      const { files } = await this.requests.request(
        findParsedFiles,
        { threadId: thread },
        { scope },
      );
      return files.reduce(
        (sum, file) => sum + (file.state === "parsed" ? file.tokenCountEstimate : 0),
        0,
      );
    } catch (error) {
      // An ingest of an earlier version, while replicas are exchanged one by one.
      if (error instanceof CarrelError && error.code === "UNSUPPORTED") return 0;
      throw error;
    }
  }
}

const stripOrNull = (text: string | null | undefined): string | null =>
  text == null ? null : stripNullCharacters(text);
const noGeneration = (): CarrelError =>
  new CarrelError("GENERATION_NOT_FOUND", "There is no such answer.");
const noThread = (): CarrelError =>
  new CarrelError("THREAD_NOT_FOUND", "Workspace thread does not exist.");
