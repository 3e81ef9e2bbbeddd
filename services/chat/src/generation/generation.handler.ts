import {
  attachGeneration,
  cancelGeneration,
  getThreadGeneration,
  CarrelError,
  resolveWorkspace,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import {
  Handle,
  StreamGoneError,
  Streams,
  RequestClient,
  type RequestContext,
} from "@carrel/messaging";
import { Controller, Injectable } from "@nestjs/common";
import { resolveThread } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { rebuildFrames } from "./frames.ts";
import { streamKey } from "./generation-output.ts";
import { GenerationRunner } from "./generation-runner.ts";
import { GenerationStopper } from "./generation-stopper.ts";
import { GenerationRepository } from "./generation.repository.ts";

/** The name of the default thread in a route. */
const defaultThread = "default";
/** Streams expire this long after their end; after that, PostgreSQL answers without Redis. */
const streamLifeMs = 290_000;

const generationNotFound = (): CarrelError => new CarrelError("generation.not-found");

/**
 * Generation routes name no workspace, so the guard has not checked access to it: the caller may
 * have been removed from the workspace since asking.
 */
@Injectable()
export class GenerationAccess {
  constructor(
    private readonly generations: GenerationRepository,
    private readonly requests: RequestClient,
  ) {}

  /**
   * Throws GENERATION_NOT_FOUND unless the generation is the caller's, in a workspace they may use.
   */
  async require(scope: Scope, generationId: string): Promise<void> {
    const workspace = await this.generations.findWorkspace(scope, generationId);
    if (workspace === null) throw generationNotFound();
    // Managers, admins, API keys and the instance may use every workspace.
    if (scope.principal.role !== "default") return;
    try {
      const found = await this.requests.request(
        resolveWorkspace,
        { slug: workspace.slug },
        { scope: { principal: scope.principal, workspace: null } },
      );
      if (found.scope.workspace?.id === workspace.id) return;
    } catch (error) {
      if (!(error instanceof CarrelError) || error.kind !== "WORKSPACE_NOT_FOUND") throw error;
    }
    throw generationNotFound();
  }
}

@Controller()
export class GenerationHandler {
  constructor(
    private readonly access: GenerationAccess,
    private readonly generations: GenerationRepository,
    private readonly threads: ThreadRepository,
    private readonly streams: Streams,
    private readonly runner: GenerationRunner,
    private readonly stopper: GenerationStopper,
  ) {}

  @Handle(attachGeneration)
  async attach(
    { generationId }: In<typeof attachGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof attachGeneration>> {
    await this.access.require(ctx.scope, generationId);
    const found = await this.generations.findOwn(ctx.scope, generationId);
    if (found === null) throw generationNotFound();
    const { turnId: chatId, state, finishedAt } = found;
    const isExpired = finishedAt !== null && Date.now() - finishedAt.getTime() > streamLifeMs;
    const isUnfinished = state === "queued" || state === "running";
    if (!isExpired && (await this.isReadable(generationId, isUnfinished, ctx.signal)))
      return { chatId, state, frames: null };
    const newer = this.runner.findText(generationId) ?? {};
    return { chatId, state, frames: rebuildFrames({ ...found, generationId, chatId, ...newer }) };
  }

  @Handle(cancelGeneration)
  async cancel(
    { id }: In<typeof cancelGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof cancelGeneration>> {
    await this.access.require(ctx.scope, id);
    if (!(await this.stopper.stop(ctx.scope, id))) throw generationNotFound();
    return { success: true };
  }

  @Handle(getThreadGeneration)
  async getCurrent(
    { threadSlug }: In<typeof getThreadGeneration>,
    ctx: RequestContext,
  ): Promise<Out<typeof getThreadGeneration>> {
    const scope = inWorkspace(ctx.scope);
    const slug = threadSlug === defaultThread ? null : threadSlug;
    const threadId = await resolveThread(this.threads, scope, slug);
    const current = threadId === null ? null : await this.generations.findCurrent(scope, threadId);
    return {
      generation:
        current === null ? null : { id: current.id, chatId: current.turnId, state: current.state },
    };
  }

  /**
   * Whether the stream has every part from the first on: to its end or, while it runs, to the
   * newest.
   */
  private async isReadable(
    generationId: string,
    isUnfinished: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(isUnfinished ? 5_000 : 1_000)]);
    // An ended stream needs no bound: reading it stops at its end.
    const last = isUnfinished
      ? (await this.streams.resumeWriter(streamKey(generationId)))?.last
      : undefined;
    if (last === 0) return false;
    let parts = 0;
    try {
      const options = { after: 0, signal: timeout };
      for await (const part of this.streams.read(streamKey(generationId), options)) {
        parts = part.seq;
        if (parts === last) return true;
      }
    } catch (error) {
      if (error instanceof StreamGoneError) return false;
      throw error;
    }
    return isUnfinished ? parts > 0 : !timeout.aborted;
  }
}
