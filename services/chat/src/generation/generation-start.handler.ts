import { randomUUID } from "node:crypto";
import { Controller } from "@nestjs/common";
import { startGeneration, type In, type Out } from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { retryDeadlock } from "../database/in-transaction.ts";
import { hasNullCharacter, stripNullCharacters } from "../database/null-character.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { countQuestion, findDailyLimit } from "./daily-limit.ts";
import { abortFrames } from "./frames.ts";
import { GenerationPipeline } from "./generation-pipeline.ts";
import { GenerationRunner } from "./generation-runner.ts";
import { GenerationStopper, noStoppedGenerations } from "./generation-stopper.ts";
import { HistoryReset } from "./history-reset.ts";
import { PendingTurns, type PendingTurn } from "./pending-turns.ts";

@Controller()
export class GenerationStartHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly pendingTurns: PendingTurns,
    private readonly runner: GenerationRunner,
    private readonly stopper: GenerationStopper,
    private readonly pipeline: GenerationPipeline,
    private readonly historyReset: HistoryReset,
  ) {}

  @Handle(startGeneration)
  async start(
    input: In<typeof startGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof startGeneration>> {
    const question = stripNullCharacters(input.message);
    const { threadSlug } = input;
    if (threadSlug !== null && hasNullCharacter(threadSlug)) throw threadNotFound();
    const scope = inWorkspace(ctx.scope);
    if (/^\/reset/i.test(question)) return this.historyReset.run(scope, threadSlug, ctx);
    const slot = this.runner.reserve();
    // While the transaction runs, load the settings and, for a standalone question, search; but not
    // if a daily limit may refuse the question. No provider is called yet.
    const limit = findDailyLimit(scope.principal);
    const search =
      slot === null || limit !== null ? null : this.pipeline.beginSearch(scope, question);
    let pending: PendingTurn | null = null;
    try {
      const reply = await retryDeadlock(() =>
        keyed(this.dataSource, ctx, async (manager): Promise<Out<typeof startGeneration>> => {
          if (!(await countQuestion(manager, scope.principal))) {
            if (
              threadSlug !== null &&
              (await this.threads.find(scope, threadSlug, manager)) === null
            )
              throw threadNotFound();
            const frames = abortFrames(randomUUID(), {
              code: "generation.daily-limit",
              params: { limit: limit! },
            });
            return { generationId: null, chatId: null, queued: false, frames };
          }
          const created = await this.pendingTurns.create(
            manager,
            {
              scope,
              threadSlug,
              question,
              attachments: input.attachments,
              replaces: input.replaces ?? null,
              requestedMode: input.mode ?? null,
              timeZone: stripOrNull(input.timeZone),
              locale: stripOrNull(input.locale),
            },
            slot !== null,
          );
          pending = created;
          return {
            generationId: created.generation.id,
            chatId: created.generation.turnId,
            queued: !created.isRunning,
            frames: [],
          };
        }),
      );
      await this.begin(pending, search);
      return reply;
    } finally {
      slot?.();
    }
  }

  /** Runs after the commit. A redelivered request wrote nothing and starts nothing. */
  private async begin(
    pending: PendingTurn | null,
    search: PendingTurn["generation"]["search"],
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
