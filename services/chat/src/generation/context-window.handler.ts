import { Controller } from "@nestjs/common";
import {
  CarrelError,
  countContextTokens,
  findParsedFiles,
  getContextWindow,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { DataSource } from "typeorm";
import { LanguageModels } from "../model/language-models.ts";
import { readThreadModelChoice, withThreadModel } from "../model/thread-model-choice.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";

@Controller()
export class ContextWindowHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
    private readonly requests: RequestClient,
  ) {}

  @Handle(getContextWindow)
  async get(
    { threadId }: In<typeof getContextWindow>,
    ctx: RequestContext,
  ): Promise<Out<typeof getContextWindow>> {
    const scope = inWorkspace(ctx.scope);
    const [ofWorkspace, instance, columns] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
      threadId == null ? null : this.threads.findChoices(this.dataSource.manager, threadId),
    ]);
    const workspace = withThreadModel(
      ofWorkspace,
      readThreadModelChoice(columns),
      scope.principal,
      instance.values,
    );
    await this.models.prepare(workspace, instance);
    return { contextWindow: this.models.findContextWindow(workspace, instance) };
  }

  @Handle(countContextTokens)
  async countTokens(
    { threadId }: In<typeof countContextTokens>,
    ctx: RequestContext,
  ): Promise<Out<typeof countContextTokens>> {
    return {
      currentContextTokenCount: await this.countFileTokens(
        inWorkspace(ctx.scope),
        threadId ?? null,
      ),
    };
  }

  /** Counts the tokens of the files attached to a thread; null is the caller's default thread. */
  private async countFileTokens(scope: WorkspaceScope, threadId: number | null): Promise<number> {
    const id = threadId ?? (await this.threads.find(scope, null))?.id ?? null;
    if (id === null) return 0;
    try {
      const { files } = await this.requests.request(findParsedFiles, { threadId: id }, { scope });
      return files.reduce(
        (sum, file) => sum + (file.state === "parsed" ? file.tokenCountEstimate : 0),
        0,
      );
    } catch (error) {
      // During a rolling update, a replica of ingest may still run an earlier version.
      if (error instanceof CarrelError && error.kind === "UNSUPPORTED") return 0;
      throw error;
    }
  }
}
