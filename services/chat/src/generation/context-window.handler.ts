import { Controller } from "@nestjs/common";
import {
  CarrelError,
  findParsedFiles,
  getContextWindow,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { LanguageModels } from "../model/language-models.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";

@Controller()
export class ContextWindowHandler {
  constructor(
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
    const [workspace, instance, currentContextTokenCount] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
      this.countFileTokens(scope, threadId ?? null),
    ]);
    return {
      contextWindow: this.models.findContextWindow(workspace, instance),
      currentContextTokenCount,
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
