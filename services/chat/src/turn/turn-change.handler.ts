import {
  CarrelError,
  activateTurn,
  explainRating,
  findWorkspaces,
  hideChat,
  rateChat,
  reasoningTags,
  recordReasoning,
  splitReasoning,
  updateChat,
  updateThreadChat,
  type In,
  type Out,
  type ReasoningBlock,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { stripNullCharacters } from "../database/null-character.ts";
import { resolveThread } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { TurnBranches, TurnChanges } from "./turn-branches.ts";
import type { Turn } from "./turn.entity.ts";
import { TurnRepository } from "./turn.repository.ts";

/** Same limit as for asking a question, in bytes. */
const longestQuestion = 200_000;

/** Changes existing turns: switching versions, editing text, rating and hiding. */
@Controller()
export class TurnChangeHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly turns: TurnRepository,
    private readonly threads: ThreadRepository,
    private readonly branches: TurnBranches,
    private readonly requests: RequestClient,
    private readonly changes: TurnChanges,
  ) {}

  @Handle(updateChat)
  updateInDefaultThread(input: In<typeof updateChat>, ctx: RequestContext): Promise<void> {
    return this.update(inWorkspace(ctx.scope), null, input);
  }

  @Handle(updateThreadChat)
  updateInThread(input: In<typeof updateThreadChat>, ctx: RequestContext): Promise<void> {
    return this.update(inWorkspace(ctx.scope), input.threadSlug, input);
  }

  @Handle(rateChat)
  async rate(input: In<typeof rateChat>, ctx: RequestContext): Promise<Out<typeof rateChat>> {
    const scope = inWorkspace(ctx.scope);
    const turn = await this.turns.findOwn(scope, input.chatId);
    if (turn === null) throw noChat();
    await this.turns.rate(turn.id, input.feedback);
    this.changes.announce(scope, turn.threadId);
    return { success: true };
  }

  @Handle(explainRating)
  async explain(
    { chatId, reason, comment }: In<typeof explainRating>,
    ctx: RequestContext,
  ): Promise<Out<typeof explainRating>> {
    const scope = inWorkspace(ctx.scope);
    const turn = await this.turns.findOwn(scope, chatId);
    if (turn === null) throw noChat();
    await this.turns.explainRating(turn.id, {
      reason,
      comment: comment === null ? null : stripNullCharacters(comment) || null,
    });
    this.changes.announce(scope, turn.threadId);
    return { success: true };
  }

  @Handle(hideChat)
  async hide(input: In<typeof hideChat>, ctx: RequestContext): Promise<Out<typeof hideChat>> {
    const place = await this.turns.findPlace(ctx.scope.principal.userId, input.id);
    if (place === null || !(await this.mayUse(ctx.scope, place.workspaceId))) throw noChat();
    const scope: WorkspaceScope = {
      principal: ctx.scope.principal,
      workspace: { id: place.workspaceId, slug: "" },
    };
    await inTransaction(this.dataSource, async (manager) => {
      await this.branches.lock(manager, [place.threadId]);
      await this.branches.hide(manager, scope, place.threadId, input.id);
    });
    this.changes.announce(scope, place.threadId);
    return { success: true, error: null };
  }

  @Handle(activateTurn)
  async activate(
    input: In<typeof activateTurn>,
    ctx: RequestContext,
  ): Promise<Out<typeof activateTurn>> {
    const scope = inWorkspace(ctx.scope);
    const turn = await this.turns.findOwn(scope, input.chatId);
    if (turn === null) throw noChat();
    await inTransaction(this.dataSource, async (manager) => {
      await this.branches.lock(manager, [turn.threadId]);
      // Checked again: it may have been deleted while waiting for the lock.
      if ((await this.turns.findOwn(scope, turn.id, manager)) === null) throw noChat();
      await this.branches.activate(manager, scope, turn.threadId, turn.id);
    });
    this.changes.announce(scope, turn.threadId);
    return { success: true };
  }

  private async update(
    scope: WorkspaceScope,
    slug: string | null,
    input: {
      chatId: number;
      newText: string;
      role: "assistant" | "user";
      keepReasoning?: boolean | undefined;
    },
  ): Promise<void> {
    const text = stripNullCharacters(input.newText);
    if (text.trim() === "") throw new CarrelError("turn.text-empty");
    if (input.role === "user" && Buffer.byteLength(text) > longestQuestion)
      throw new CarrelError("turn.question-too-long", { kilobytes: 200 });
    const threadId = await resolveThread(this.threads, scope, slug);
    if (threadId === null) throw noChat();
    await inTransaction(this.dataSource, async (manager) => {
      await this.branches.lock(manager, [threadId]);
      const turn = await this.turns.findOwn(scope, input.chatId, manager);
      if (turn === null || turn.threadId !== threadId) throw noChat();
      if (turn.state === "queued" || turn.state === "running")
        throw new CarrelError("turn.being-written");
      if (input.role === "user") await this.turns.updateQuestion(manager, turn.id, text);
      else
        await this.turns.updateAnswer(
          manager,
          turn.id,
          input.keepReasoning === true
            ? prependReasoning(text, splitReasoning(turn.answer, turn.reasoning).reasoning)
            : { answer: text, reasoning: null },
        );
    });
    this.changes.announce(scope, threadId);
  }

  /**
   * The route names no workspace, so the guard has not checked access; the user may have been
   * removed from it. Managers, admins and the instance may use every workspace.
   */
  private async mayUse(scope: Scope, workspaceId: number): Promise<boolean> {
    if (scope.principal.role !== "default") return true;
    const { workspaces } = await this.requests.request(
      findWorkspaces,
      { ids: [workspaceId] },
      { scope: { principal: scope.principal, workspace: null } },
    );
    return workspaces.length > 0;
  }
}

/** The reasoning as it is stored, in front of another answer. */
function prependReasoning(
  text: string,
  blocks: readonly ReasoningBlock[],
): Pick<Turn, "answer" | "reasoning"> {
  const { open, close } = reasoningTags;
  let thought = "";
  const spans = blocks.map((block) => {
    const start = thought.length;
    thought += `${open}${block.text}${close}`;
    return { start, end: thought.length, milliseconds: block.milliseconds };
  });
  const answer = thought + text;
  return { answer, reasoning: recordReasoning(answer, spans) };
}

const noChat = (): CarrelError => new CarrelError("turn.not-found");
