import { randomUUID } from "node:crypto";
import type { Conversation, ThreadParameters, ThreadWire, WorkspaceScope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, In, IsNull, type EntityManager, type FindOptionsWhere } from "typeorm";
import { hasNullCharacter } from "../database/null-character.ts";
import { queryRows } from "../database/query-rows.ts";
import { Thread, defaultThreadName } from "./thread.entity.ts";

/** The conversation's columns and index in `thread`, for `ON CONFLICT`. */
export const conversationKey =
  "(workspace_id, channel, (coalesce(widget_id, 0)), session_id) WHERE channel IS NOT NULL";

/** Values of `channel`, `session_id` and `widget_id`. */
export const conversationValues = (
  conversation: Conversation | null,
): [string | null, string | null, number | null] =>
  conversation === null
    ? [null, null, null]
    : [conversation.channel, conversation.sessionId, conversation.widgetId ?? null];

/** A thread with a slug, by which the wire identifies it. */
export type NamedThread = Thread & { slug: string };
interface ThreadChoices {
  chat_provider: string | null;
  chat_model: string | null;
  answer_parameters: ThreadParameters | null;
}
const isNamed = (thread: Thread): thread is NamedThread => thread.slug !== null;

@Injectable()
export class ThreadRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Returns a thread in which the caller may read and ask: one of their own, or, by its slug, one
   * without an owner (created by an API key for whoever has its URL, wire-contract +TH), in which
   * each user sees only their own turns. A null slug is the caller's default thread. Returns null
   * both for unknown and for other users' threads.
   */
  async find(
    scope: WorkspaceScope,
    slug: string | null,
    manager = this.dataSource.manager,
  ): Promise<Thread | null> {
    if (slug === null) return manager.findOneBy(Thread, ownDefault(scope));
    if (hasNullCharacter(slug)) return null;
    return manager.findOneBy(Thread, [
      { ...own(scope), slug },
      { workspaceId: scope.workspace.id, userId: IsNull(), slug, deletedAt: IsNull() },
    ]);
  }

  /** Returns one of the caller's own threads, to change it. */
  async findNamed(scope: WorkspaceScope, slug: string): Promise<NamedThread | null> {
    const thread = hasNullCharacter(slug)
      ? null
      : await this.dataSource.manager.findOneBy(Thread, { ...own(scope), slug });
    return thread !== null && isNamed(thread) ? thread : null;
  }

  async create(
    manager: EntityManager,
    scope: WorkspaceScope,
    naming: Pick<Thread, "name" | "namedBy"> = { name: defaultThreadName, namedBy: null },
    slug = randomUUID() as string,
  ): Promise<NamedThread> {
    const inserted = await manager.insert(Thread, {
      workspaceId: scope.workspace.id,
      userId: scope.principal.userId,
      slug,
      ...naming,
      createdAt: () => "now()",
      lastUpdatedAt: () => "now()",
    });
    return (await manager.findOneByOrFail(Thread, inserted.identifiers[0]!)) as NamedThread;
  }

  /** Renaming doesn't date the thread: it keeps its place in lists. */
  async rename(thread: NamedThread, name: string): Promise<NamedThread> {
    await this.dataSource.manager.update(Thread, { id: thread.id }, { name, namedBy: "person" });
    return (await this.dataSource.manager.findOneByOrFail(Thread, {
      id: thread.id,
    })) as NamedThread;
  }

  /** Marks one of the caller's threads. Returns false if it isn't one. */
  async mark(
    scope: WorkspaceScope,
    slug: string,
    { pinned, archived }: { pinned?: boolean | undefined; archived?: boolean | undefined },
  ): Promise<boolean> {
    if (hasNullCharacter(slug)) return false;
    // A thread pinned or archived again keeps its place.
    const rows = await queryRows<{ id: number }>(
      this.dataSource,
      `UPDATE chat.thread SET pinned_at = CASE
          WHEN $5::boolean OR NOT $4::boolean THEN NULL
          WHEN $4 THEN coalesce(pinned_at, now())
          ELSE pinned_at
        END,
        archived_at = CASE
          WHEN NOT $5 THEN NULL
          WHEN $5 THEN coalesce(archived_at, now())
          ELSE archived_at
        END
      WHERE workspace_id = $1
        AND user_id IS NOT DISTINCT FROM $2
        AND slug = $3
        AND deleted_at IS NULL
      RETURNING id`,
      [scope.workspace.id, scope.principal.userId, slug, pinned ?? null, archived ?? null],
    );
    return rows.length > 0;
  }

  /**
   * Locks the thread's row until the transaction ends, so that questions in a thread are written
   * one at a time, and returns its ID. Creates the default thread (null slug) if missing. Returns
   * null if there is no such thread or the caller may not ask in it (see `find`).
   */
  async lock(
    manager: EntityManager,
    scope: WorkspaceScope,
    slug: string | null,
  ): Promise<number | null> {
    const owner = [scope.workspace.id, scope.principal.userId];
    const rows =
      slug === null
        ? await queryRows<{ id: number }>(
            manager,
            `INSERT INTO chat.thread (workspace_id, user_id, name)
            VALUES ($1, $2, $3)
            ON CONFLICT (workspace_id, (coalesce(user_id, 0))) WHERE slug IS NULL AND channel IS NULL
            DO UPDATE SET last_updated_at = now()
            RETURNING id`,
            [...owner, defaultThreadName],
          )
        : await queryRows<{ id: number }>(
            manager,
            `UPDATE chat.thread SET last_updated_at = now()
            WHERE workspace_id = $1
              AND (user_id = $2 OR user_id IS NULL)
              AND slug = $3
              AND deleted_at IS NULL
            RETURNING id`,
            [...owner, slug],
          );
    return rows[0]?.id ?? null;
  }

  /** The same for a conversation outside the app, which is created if missing. */
  async lockConversation(
    manager: EntityManager,
    scope: WorkspaceScope,
    conversation: Conversation,
  ): Promise<number> {
    const [row] = await queryRows<{ id: number }>(
      manager,
      `INSERT INTO chat.thread (workspace_id, user_id, name, channel, session_id, widget_id)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT ${conversationKey} DO UPDATE SET last_updated_at = now()
      RETURNING id`,
      [
        scope.workspace.id,
        scope.principal.userId,
        defaultThreadName,
        ...conversationValues(conversation),
      ],
    );
    return row!.id;
  }

  /** Returns a conversation's ID; null if it has no question yet. */
  async findConversation(
    manager: EntityManager,
    scope: WorkspaceScope,
    conversation: Conversation,
  ): Promise<number | null> {
    const [row] = await queryRows<{ id: number }>(
      manager,
      `SELECT id FROM chat.thread
      WHERE workspace_id = $1
        AND channel = $2
        AND session_id = $3
        AND coalesce(widget_id, 0) = coalesce($4::int, 0)`,
      [scope.workspace.id, ...conversationValues(conversation)],
    );
    return row?.id ?? null;
  }

  /** The owner's choices for a thread; null if it was just deleted. */
  async findChoices(manager: EntityManager, id: number): Promise<ThreadChoices | null> {
    const [row] = await queryRows<ThreadChoices>(
      manager,
      "SELECT chat_provider, chat_model, answer_parameters FROM chat.thread WHERE id = $1",
      [id],
    );
    return row ?? null;
  }

  /** Gives a branch the model and parameters of the thread it comes from. */
  async copyChoices(manager: EntityManager, from: number, to: number): Promise<void> {
    await manager.query(
      `UPDATE chat.thread SET chat_provider = source.chat_provider, chat_model = source.chat_model,
        answer_parameters = source.answer_parameters
      FROM chat.thread source WHERE source.id = $1 AND thread.id = $2`,
      [from, to],
    );
  }

  /**
   * Sets the model of one of the caller's own threads; null follows the workspace. Creates the
   * default thread (null slug) if missing. False if there is no such thread.
   */
  async chooseModel(
    manager: EntityManager,
    scope: WorkspaceScope,
    slug: string | null,
    choice: { provider: string; model: string | null } | null,
  ): Promise<boolean> {
    return this.change(manager, scope, slug, {
      chatProvider: choice?.provider ?? null,
      chatModel: choice?.model ?? null,
    });
  }

  /** The same for its parameters. */
  async setParameters(
    manager: EntityManager,
    scope: WorkspaceScope,
    slug: string | null,
    parameters: ThreadParameters,
  ): Promise<boolean> {
    return this.change(manager, scope, slug, { answerParameters: parameters });
  }

  private async change(
    manager: EntityManager,
    scope: WorkspaceScope,
    slug: string | null,
    columns: Pick<Partial<Thread>, "chatProvider" | "chatModel" | "answerParameters">,
  ): Promise<boolean> {
    if (slug !== null && hasNullCharacter(slug)) return false;
    if (slug === null) await this.lock(manager, scope, null);
    const { affected } = await manager.update(
      Thread,
      slug === null ? ownDefault(scope) : { ...own(scope), slug },
      columns,
    );
    return affected === 1;
  }

  /**
   * Locks the caller's threads among `slugs`: no generation starts in them until the transaction
   * ends.
   */
  async lockAll(
    manager: EntityManager,
    scope: WorkspaceScope,
    slugs: string[],
  ): Promise<{ id: number; slug: string }[]> {
    const rows = await manager.find(Thread, {
      select: { id: true, slug: true },
      where: { ...own(scope), slug: In(slugs.filter((slug) => !hasNullCharacter(slug))) },
      lock: { mode: "pessimistic_write" },
    });
    return rows.filter(isNamed);
  }
}

const ownDefault = (scope: WorkspaceScope): FindOptionsWhere<Thread> => ({
  ...own(scope),
  slug: IsNull(),
  channel: IsNull(),
});

function own(scope: WorkspaceScope): FindOptionsWhere<Thread> {
  return {
    workspaceId: scope.workspace.id,
    userId: scope.principal.userId ?? IsNull(),
    deletedAt: IsNull(),
  };
}

/** Only threads with a slug go on the wire. */
export function mapThread(thread: Thread & { slug: string }): ThreadWire {
  return {
    id: thread.id,
    name: thread.name,
    slug: thread.slug,
    workspace_id: thread.workspaceId,
    user_id: thread.userId,
    createdAt: thread.createdAt.toISOString(),
    lastUpdatedAt: thread.lastUpdatedAt.toISOString(),
  };
}
