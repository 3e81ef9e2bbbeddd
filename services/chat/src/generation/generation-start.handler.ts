import { Controller } from "@nestjs/common";
import { startGeneration, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { hasNullCharacter, stripNullCharacters } from "../database/null-character.ts";
import type { FoundPassages } from "../retrieval/question-search.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { findDailyLimit } from "./daily-limit.ts";
import { GenerationPipeline } from "./generation-pipeline.ts";
import { GenerationRunner } from "./generation-runner.ts";
import { GenerationStartRepository } from "./generation-start.repository.ts";
import { GenerationStopper, noStoppedGenerations } from "./generation-stopper.ts";
import { HistoryReset } from "./history-reset.ts";
import { PendingTurns, replyOf, type NewQuestion, type PendingTurn } from "./pending-turns.ts";

type Reply = Out<typeof startGeneration>;

@Controller()
export class GenerationStartHandler {
  constructor(
    private readonly starts: GenerationStartRepository,
    private readonly pendingTurns: PendingTurns,
    private readonly runner: GenerationRunner,
    private readonly stopper: GenerationStopper,
    private readonly pipeline: GenerationPipeline,
    private readonly historyReset: HistoryReset,
  ) {}

  @Handle(startGeneration)
  async start(input: In<typeof startGeneration>, ctx: RequestContext): Promise<Reply> {
    const question = stripNullCharacters(input.message);
    const { threadSlug } = input;
    if (threadSlug !== null && hasNullCharacter(threadSlug)) throw threadNotFound();
    const scope = inWorkspace(ctx.scope);
    if (/^\/reset/i.test(question)) return this.historyReset.run(scope, threadSlug, ctx);
    const slot = this.runner.reserve();
    const mayRun = slot !== null;
    const limit = findDailyLimit(scope.principal);
    // While the question is being written, load the settings and, for a standalone question,
    // search; but not if a daily limit may refuse the question.
    const search = mayRun && limit === null ? this.pipeline.beginSearch(scope, question) : null;
    const asked: NewQuestion = {
      scope,
      threadSlug,
      question,
      attachments: input.attachments,
      replaces: input.replaces ?? null,
      requestedMode: input.mode ?? null,
      timeZone: stripOrNull(input.timeZone),
      locale: stripOrNull(input.locale),
    };
    try {
      const isDefault = limit === null && asked.replaces === null;
      const started = isDefault ? await this.startAtOnce(ctx, asked, mayRun, search) : null;
      return started ?? (await this.startInSteps(ctx, asked, mayRun, search));
    } finally {
      slot?.();
    }
  }

  /** The default case. Returns null, having started nothing, if this isn't it. */
  private async startAtOnce(
    ctx: RequestContext,
    asked: NewQuestion,
    mayRun: boolean,
    search: Promise<FoundPassages> | null,
  ): Promise<Reply | null> {
    // If the settings can't be read, the question is written anyway and then fails.
    const historyLimit = await this.pipeline.findHistoryLimit(asked.scope).catch(() => null);
    if (historyLimit === null) return null;
    const started = await this.starts.start(ctx, asked, { mayRun, historyLimit });
    if (started === null) return null;
    const { generation, isRunning, committed } = started;
    // The provider is called while the commit is being written; nothing is shown before it is.
    if (isRunning) this.runner.begin({ ...generation, search }, true, committed);
    await committed;
    if (!isRunning) this.runner.begin(generation, false);
    return replyOf(generation, isRunning);
  }

  /** Everything that a question may need before it is written. */
  private async startInSteps(
    ctx: RequestContext,
    asked: NewQuestion,
    mayRun: boolean,
    search: Promise<FoundPassages> | null,
  ): Promise<Reply> {
    const { reply, pending } = await this.pendingTurns.write(ctx, asked, mayRun);
    await this.begin(pending, search);
    return reply;
  }

  /** Runs after the commit. A redelivered request wrote nothing and starts nothing. */
  private async begin(
    pending: PendingTurn | null,
    search: Promise<FoundPassages> | null,
  ): Promise<void> {
    // Runs that the question replaces end first, with their text.
    await this.stopper.end(pending?.stopped ?? noStoppedGenerations);
    if (pending === null) return;
    const { generation, isRunning } = pending;
    this.runner.begin({ ...generation, search: isRunning ? search : null }, isRunning);
  }
}

const stripOrNull = (text: string | null | undefined): string | null =>
  text == null ? null : stripNullCharacters(text);
