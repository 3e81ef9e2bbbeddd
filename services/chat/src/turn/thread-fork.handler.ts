import { Controller } from "@nestjs/common";
import { CarrelError, forkThread, type In, type Out, type WorkspaceScope } from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { DataSource, type EntityManager } from "typeorm";
import { retryDeadlock } from "../database/in-transaction.ts";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { threadNotFound } from "../thread/resolve-thread.ts";
import { titleFromQuestion } from "../thread/thread-title.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { ThreadChanges } from "../thread/thread-changes.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";

const unnamed = "Forked Thread";

@Controller()
export class ThreadForkHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly threads: ThreadRepository,
    private readonly changes: ThreadChanges,
  ) {}

  @Handle(forkThread)
  async fork(input: In<typeof forkThread>, ctx: RequestContext): Promise<Out<typeof forkThread>> {
    const scope = inWorkspace(ctx.scope);
    const { chatId } = input;
    if (chatId == null) throw new CarrelError("turn.id-missing");
    const slug = input.threadSlug == null || input.threadSlug === "" ? null : input.threadSlug;
    const source = await this.threads.find(scope, slug);
    if (source === null && slug !== null) throw threadNotFound();
    const made = await retryDeadlock(() =>
      keyed(this.dataSource, ctx, async (manager) => {
        const question =
          source === null ? null : await this.findQuestion(manager, scope, source.id, chatId);
        if (source === null || question === null) throw new CarrelError("turn.not-found");
        const made = await this.threads.create(manager, scope, {
          name: titleFromQuestion(question) ?? unnamed,
          namedBy: "question",
        });
        await this.threads.copyChoices(manager, source.id, made.id);
        await this.copy(manager, scope, source.id, chatId, made.id);
        return { newThreadSlug: made.slug };
      }),
    );
    this.changes.announce(scope, "created", [made.newThreadSlug]);
    return made;
  }

  /** The question of one of the caller's visible turns. */
  private async findQuestion(
    manager: EntityManager,
    scope: WorkspaceScope,
    threadId: number,
    chatId: number,
  ): Promise<string | null> {
    const rows = await queryRows<{ question: string }>(
      manager,
      `SELECT question FROM turn
      WHERE id = $1
        AND thread_id = $2
        AND workspace_id = $3
        AND user_id IS NOT DISTINCT FROM $4
        AND ${visibleTurn("turn")}`,
      [chatId, threadId, scope.workspace.id, scope.principal.userId],
    );
    return rows[0]?.question ?? null;
  }

  /**
   * IDs grow in source order, so each copy's parent is the copy before it. Ratings stay with the
   * original.
   */
  private async copy(
    manager: EntityManager,
    scope: WorkspaceScope,
    from: number,
    upTo: number,
    to: number,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO turn (
        thread_id, workspace_id, user_id, question, answer, reasoning, sources, attachments,
        mentions, mode, state, error, fault, metrics, notices, coded_notices, created_at
      )
      SELECT $5::int, workspace_id, user_id, question, answer, reasoning, sources,
        attachments, mentions, mode, state, error, fault, metrics, notices, coded_notices, created_at
      FROM turn
      WHERE thread_id = $1
        AND workspace_id = $2
        AND user_id IS NOT DISTINCT FROM $3
        AND id <= $4
        AND ${visibleTurn("turn")}
      ORDER BY id`,
      [from, scope.workspace.id, scope.principal.userId, upTo, to],
    );
    await manager.query(
      `UPDATE turn SET parent_id = linked.previous
      FROM (SELECT id, lag(id) OVER (ORDER BY id) AS previous FROM turn WHERE thread_id = $1) linked
      WHERE linked.id = turn.id`,
      [to],
    );
  }
}
