import {
  CarrelError,
  resetHistory,
  startGeneration,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { QuestionEstimates } from "../budget/question-estimate.ts";
import { hasNullCharacter, stripNullCharacters } from "../database/null-character.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { readAgentCall, withoutCall } from "./agent-call.ts";
import { GenerationPipeline } from "./generation-pipeline.ts";
import { GenerationRunner } from "./generation-runner.ts";
import { GenerationStartRepository, type NewQuestion } from "./generation-start.repository.ts";
import { GenerationStopper, noStoppedGenerations } from "./generation-stopper.ts";
import type { RunnableGeneration } from "./generation.repository.ts";
import {
  HistoryReset,
  PendingTurns,
  findDailyLimit,
  replyOf,
  type PendingTurn,
} from "./pending-turns.ts";

type Reply = Out<typeof startGeneration>;
type Place = Pick<NewQuestion, "threadSlug" | "conversation">;

/** Read while the question is being written, so that a run doesn't wait for it. */
interface Prepared {
  search: RunnableGeneration["search"];
  /**
   * `threadId` is the thread of the last question with the same address: threads keep their slug;
   * null if the texts aren't a thread's.
   */
  texts: { threadId: number | null; fullTexts: RunnableGeneration["fullTexts"] } | null;
}

@Controller()
export class GenerationStartHandler {
  private readonly threadIds = new LRUCache<string, number>({ max: 5_000 });

  constructor(
    private readonly starts: GenerationStartRepository,
    private readonly pendingTurns: PendingTurns,
    private readonly runner: GenerationRunner,
    private readonly stopper: GenerationStopper,
    private readonly pipeline: GenerationPipeline,
    private readonly historyReset: HistoryReset,
    private readonly estimates: QuestionEstimates,
  ) {}

  @Handle(startGeneration)
  async start(input: In<typeof startGeneration>, ctx: RequestContext): Promise<Reply> {
    const { threadSlug } = input;
    const conversation = input.conversation ?? null;
    const message = stripNullCharacters(input.message);
    const hasAgents = conversation === null || conversation.channel === "api";
    const { agentCall, question } = hasAgents ? readAgentCall(message) : withoutCall(message);
    const mode = agentCall === "" ? (input.mode ?? null) : "automatic";
    const overrides = input.overrides ?? null;
    if (threadSlug !== null && hasNullCharacter(threadSlug)) throw threadNotFound();
    if (input.fromStep != null && input.replaces == null)
      throw new CarrelError("turn.step-not-found");
    const scope = inWorkspace(ctx.scope);
    // Clients of the API have a parameter for it (wire-contract 9.4).
    const isCommand = conversation === null && scope.principal.kind !== "key";
    if (isCommand && /^\/reset/i.test(question))
      return this.historyReset.run(scope, threadSlug, ctx);
    const place = { threadSlug, conversation };
    const slot = this.runner.reserve();
    const mayRun = slot !== null;
    const limit = findDailyLimit(scope.principal);
    // Not prepared if a daily limit may refuse the question.
    const isSpecial = overrides?.places != null || overrides?.modelChoice != null;
    const prepared =
      mayRun && limit === null && !isSpecial
        ? this.prepare(scope, place, question, mode)
        : nothingPrepared;
    try {
      const asked: NewQuestion = {
        scope,
        ...place,
        question,
        agentCall,
        attachments: input.attachments,
        replaces: input.replaces ?? null,
        fromStep: input.fromStep ?? null,
        requestedMode: mode,
        overrides,
        timeZone: stripOrNull(input.timeZone),
        locale: stripOrNull(input.locale),
        estimate: await this.estimates.estimate(scope, question),
        mayRun,
        // If the settings can't be read, the question is written anyway and then fails.
        historyLimit: await this.pipeline.findHistoryLimit(scope, overrides).catch(() => null),
      };
      const isDefault = limit === null && asked.replaces === null;
      const started = isDefault ? await this.startAtOnce(ctx, asked, prepared) : null;
      return started ?? (await this.startInSteps(ctx, asked, prepared));
    } finally {
      slot?.();
    }
  }

  @Handle(resetHistory)
  async reset(
    input: In<typeof resetHistory>,
    ctx: RequestContext,
  ): Promise<Out<typeof resetHistory>> {
    await this.historyReset.reset(inWorkspace(ctx.scope), input);
    return {};
  }

  private prepare(
    scope: WorkspaceScope,
    place: Place,
    question: string,
    mode: NewQuestion["requestedMode"],
  ): Prepared {
    // Files can't be attached to conversations outside the app.
    const threadId =
      place.conversation === null ? this.threadIds.get(addressOf(scope, place)) : null;
    return {
      search: this.pipeline.beginSearch(scope, question, mode),
      texts:
        threadId === undefined
          ? null
          : { threadId, fullTexts: this.pipeline.beginFullTexts(scope, threadId) },
    };
  }

  /** The default case. Returns null, having started nothing, if this isn't it. */
  private async startAtOnce(
    ctx: RequestContext,
    asked: NewQuestion,
    { search, texts }: Prepared,
  ): Promise<Reply | null> {
    const started = await this.starts.start(ctx, asked);
    if (started === null) return null;
    const { generation, isRunning, committed } = started;
    const { threadId } = generation;
    if (asked.conversation === null) this.threadIds.set(addressOf(asked.scope, asked), threadId);
    const isSameThread = texts?.threadId === null || texts?.threadId === threadId;
    // The texts were cut to the context window of the workspace's model.
    const fullTexts =
      texts !== null && isSameThread && generation.modelChoice === null ? texts.fullTexts : null;
    // The answer begins while the commit is being written; until then, only this replica knows its
    // ID, so nobody can read it.
    if (isRunning) this.runner.begin({ ...generation, search, fullTexts }, true, committed);
    await committed;
    if (!isRunning) this.runner.begin(generation, false);
    return replyOf(started);
  }

  /** Everything that a question may need before it is written. */
  private async startInSteps(
    ctx: RequestContext,
    asked: NewQuestion,
    { search }: Prepared,
  ): Promise<Reply> {
    const { reply, pending } = await this.pendingTurns.write(ctx, asked);
    await this.begin(pending, search);
    return reply;
  }

  /** Runs after the commit. A redelivered request wrote nothing and starts nothing. */
  private async begin(pending: PendingTurn | null, search: Prepared["search"]): Promise<void> {
    // Runs that the question replaces end first, with their text.
    await this.stopper.end(pending?.stopped ?? noStoppedGenerations);
    if (pending === null) return;
    const { generation, isRunning } = pending;
    // The replaced question may have been about certain documents.
    const mayUse = isRunning && generation.overrides?.places == null;
    this.runner.begin({ ...generation, search: mayUse ? search : null }, isRunning);
  }
}

const nothingPrepared: Prepared = { search: null, texts: null };

/** The default thread has no slug, but one owner. */
const addressOf = ({ workspace, principal }: WorkspaceScope, { threadSlug }: Place): string =>
  `${workspace.id} ${threadSlug ?? String(principal.userId)}`;

const stripOrNull = (text: string | null | undefined): string | null =>
  text == null ? null : stripNullCharacters(text);
