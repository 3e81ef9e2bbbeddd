import { findWorkspaces, searchChats, type In, type Out, type Principal } from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { queryRows } from "../database/query-rows.ts";
import { visibleTurn } from "../database/visible-turn.ts";
import { buildQuery, cutExcerpt, matchName, wordsOf } from "./search-words.ts";

interface NamedRow {
  slug: string;
  name: string;
  workspaceId: number;
}
interface MessageRow {
  chatId: number;
  threadSlug: string | null;
  threadName: string;
  workspaceId: number;
  question: string;
  answer: string;
  createdAt: Date;
}

/** Maximum number of thread names to compare, latest first. */
const maxNames = 20_000;
/** Maximum number of characters searched for an excerpt. */
const maxRead = 100_000;

@Injectable()
class SearchRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Workspaces in which the user has threads. */
  async listWorkspaceIds(userId: number | null): Promise<number[]> {
    return (
      await queryRows<{ id: number }>(
        this.dataSource,
        `SELECT DISTINCT workspace_id AS id FROM chat.thread
        WHERE user_id IS NOT DISTINCT FROM $1 AND deleted_at IS NULL AND channel IS NULL`,
        [userId],
      )
    ).map(({ id }) => id);
  }

  async listNames(userId: number | null, workspaceIds: number[]): Promise<NamedRow[]> {
    return queryRows<NamedRow>(
      this.dataSource,
      `SELECT slug, name, workspace_id AS "workspaceId"
      FROM chat.thread
      WHERE user_id IS NOT DISTINCT FROM $1
        AND workspace_id = ANY($2::int[])
        AND slug IS NOT NULL
        AND deleted_at IS NULL
      ORDER BY last_updated_at DESC LIMIT ${maxNames}`,
      [userId, workspaceIds],
    );
  }

  /**
   * The user's visible messages, newest first. Checks the owner in the table as well, because the
   * index is only a copy.
   */
  async findMessages(
    userId: number | null,
    workspaceIds: number[],
    query: string,
    limit: number,
  ): Promise<MessageRow[]> {
    return queryRows<MessageRow>(
      this.dataSource,
      `
      SELECT turn.id AS "chatId", thread.slug AS "threadSlug", thread.name AS "threadName",
        turn.workspace_id AS "workspaceId", left(turn.question, ${maxRead}) AS question,
        left(without_reasoning(turn.answer, turn.reasoning), ${maxRead}) AS answer,
        turn.created_at AS "createdAt"
      FROM (
        SELECT turn.id FROM chat.turn_word
        JOIN chat.turn ON turn.id = turn_word.turn_id
        JOIN chat.thread
          ON thread.id = turn.thread_id AND thread.deleted_at IS NULL AND thread.channel IS NULL
        WHERE turn_word.words @@ $3::tsquery
          AND turn.user_id IS NOT DISTINCT FROM $1
          AND turn.workspace_id = ANY($2::int[])
          AND ${visibleTurn("turn")}
        ORDER BY turn.id DESC LIMIT $4
      ) hit
      JOIN chat.turn ON turn.id = hit.id
      JOIN chat.thread ON thread.id = turn.thread_id
      ORDER BY turn.id DESC`,
      [userId, workspaceIds, query, limit],
    );
  }
}

/** Replies between services are limited to 1 MB; this many names and slugs always fit. */
const pageSize = 500;

@Controller()
class SearchHandler {
  constructor(
    private readonly repository: SearchRepository,
    private readonly requests: RequestClient,
  ) {}

  /** Searches the workspaces the caller may currently use. */
  @Handle(searchChats)
  async search(
    { term, limit }: In<typeof searchChats>,
    ctx: RequestContext,
  ): Promise<Out<typeof searchChats>> {
    const words = wordsOf(term);
    if (words.length === 0) return { threads: [], messages: [] };
    const { userId } = ctx.scope.principal;
    const ids = await this.listUsable(ctx.scope.principal);
    const [names, messages] = await Promise.all([
      this.repository.listNames(userId, ids),
      this.repository.findMessages(userId, ids, buildQuery(userId, words), limit),
    ]);
    const threads = names
      .map((thread) => ({ thread, faults: matchName(term, thread.name) }))
      .filter((match) => match.faults !== null)
      .sort((a, b) => a.faults! - b.faults!)
      .slice(0, limit)
      .map(({ thread }) => thread);
    return {
      threads,
      messages: messages.map(({ question, answer, createdAt, ...row }) => ({
        ...row,
        excerpt: cutExcerpt([answer, question], words),
        sentAt: Math.floor(createdAt.getTime() / 1000),
      })),
    };
  }

  /**
   * Lists the workspaces in which this principal has threads and that are still accessible: the
   * user may have been removed from some.
   */
  private async listUsable(principal: Principal): Promise<number[]> {
    const own = await this.repository.listWorkspaceIds(principal.userId);
    const pages = Array.from({ length: Math.ceil(own.length / pageSize) }, (_, index) =>
      own.slice(index * pageSize, (index + 1) * pageSize),
    );
    const found = await Promise.all(
      pages.map((ids) =>
        this.requests.request(findWorkspaces, { ids }, { scope: { principal, workspace: null } }),
      ),
    );
    return found.flatMap(({ workspaces }) => workspaces.map(({ id }) => id));
  }
}

@Module({ controllers: [SearchHandler], providers: [SearchRepository] })
export class SearchModule {}
