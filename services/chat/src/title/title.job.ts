import { Inject, Injectable } from "@nestjs/common";
import {
  instancePrincipal,
  threadRenamed,
  titleThread,
  type JobPayload,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Broadcast, Process, type JobContext } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { LanguageModels } from "../model/language-models.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { cleanTitle } from "./clean-title.ts";
import { TitleRepository, type UntitledThread } from "./title.repository.ts";

/** Timeout for the model. */
const patienceMs = 20_000;
/**
 * Maximum number of characters the model reads of question and answer, and of its reply to parse
 * (including reasoning).
 */
const mostRead = 1_500;
const mostWritten = 20_000;
const instructions =
  "You name conversations. Write a title of at most six words for the conversation below, in the language of its question. Write the title alone: no quotes, no full stop, no explanation.";

/**
 * Asks the workspace's model for a short title, unless the thread has been renamed in the meantime.
 * Fails silently: the first words of the question are a usable name.
 */
@Injectable()
export class TitleJob {
  constructor(
    private readonly titles: TitleRepository,
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
    private readonly broadcast: Broadcast,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Process(titleThread, { concurrency: 2 })
  async run(
    { threadId, turnId }: JobPayload<typeof titleThread>,
    { lastAttempt, signal }: JobContext,
  ): Promise<void> {
    const thread = await this.titles.findUntitled(threadId, turnId);
    if (thread === null) return;
    try {
      const name = await this.write(
        thread,
        AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
      );
      if (name === null) await this.titles.settle(thread);
      else if (await this.titles.rename(thread, name)) {
        await this.broadcast.publishEvent(threadRenamed, {
          workspaceId: thread.workspaceId,
          threadId,
          slug: thread.slug,
          name,
          userId: thread.userId,
        });
      }
    } catch (error) {
      this.logger.debug({ err: error, thread: threadId }, "couldn't get a title from the model");
      if (!lastAttempt) throw error;
      await this.titles.settle(thread);
    }
  }

  /** Returns null if no model is configured or it wrote nothing usable as a title. */
  private async write(thread: UntitledThread, signal: AbortSignal): Promise<string | null> {
    const scope: WorkspaceScope = thread.scope ?? {
      principal: instancePrincipal,
      workspace: { id: thread.workspaceId, slug: "" },
    };
    const [workspace, instance] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
    ]);
    const { model } = this.models.choose(workspace, instance);
    if (model === null) return null;
    const content = `Question: ${thread.question.slice(0, mostRead)}\n\nAnswer: ${thread.answer.slice(0, mostRead)}`;
    let written = "";
    for await (const part of model.stream({
      system: instructions,
      messages: [{ role: "user", content }],
      temperature: 0.2,
      signal,
    })) {
      if (part.type === "finish") break;
      if (part.type === "text-delta") written += part.text;
      if (written.length > mostWritten) break;
    }
    return cleanTitle(written);
  }
}
