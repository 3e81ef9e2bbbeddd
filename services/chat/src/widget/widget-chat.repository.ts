import {
  clipText,
  type In,
  type MetricsWire,
  type Out,
  type Scope,
  type SourceWire,
  type WidgetChatWire,
  type readWidgetChats,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { inTransaction } from "../database/in-transaction.ts";
import { queryRows } from "../database/query-rows.ts";
import { recordedVisitorTurn, turnVisitor, type Visitor } from "../database/visible-turn.ts";
import { EventLog } from "../event-log/event-log.module.ts";
import { GenerationStopper } from "../generation/generation-stopper.ts";
import { CitationAccess } from "../turn/citation-access.ts";

interface ChatRow {
  id: number;
  question: string;
  answer: string;
  sources: SourceWire[];
  mode: string;
  metrics: MetricsWire | null;
  include: boolean;
  created_at: Date;
  session_id: string;
  widget_id: number;
  visitor: Visitor | null;
}

/** Page size in bytes: a reply may take 1 MB, and `response` is JSON inside JSON. */
const pageBytes = 700_000;
const visible = "turn.active AND NOT turn.hidden";

/** Chats with visitors of widgets, for admins: the callers check the permission. */
@Injectable()
export class WidgetChatRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly citations: CitationAccess,
  ) {}

  /** Newest first, as many as fit into a reply. */
  async list(
    scope: Scope,
    { widgetId, sessionId, before, offset, limit }: In<typeof readWidgetChats>,
  ): Promise<Out<typeof readWidgetChats>> {
    const from = `FROM chat.turn
      JOIN chat.thread ON thread.id = turn.thread_id
      WHERE thread.channel = 'widget' AND ${recordedVisitorTurn}
        AND ($1::int IS NULL OR thread.widget_id = $1)
        AND ($2::text IS NULL OR thread.session_id = $2)`;
    const which = [widgetId ?? null, sessionId ?? null];
    const [rows, counted] = await Promise.all([
      queryRows<ChatRow>(
        this.dataSource,
        `SELECT turn.id, turn.question, turn.answer, turn.sources, turn.mode, turn.metrics,
          ${visible} AS include, turn.created_at, thread.session_id, thread.widget_id,
          ${turnVisitor} AS visitor
        ${from} AND ($3::int IS NULL OR turn.id < $3)
        ORDER BY turn.id DESC OFFSET $4 LIMIT $5`,
        [...which, before ?? null, offset, limit + 1],
      ),
      queryRows<{ total: number }>(this.dataSource, `SELECT count(*)::int AS total ${from}`, which),
    ]);
    const chats: WidgetChatWire[] = [];
    let room = pageBytes;
    for (const row of await this.citations.mask(scope, rows.slice(0, limit))) {
      const chat = mapChat(row);
      room -= bytesOf(chat);
      if (room < 0 && chats.length > 0) break;
      chats.push(bytesOf(chat) > pageBytes ? mapChat(shorten(row)) : chat);
    }
    const next = chats.length < rows.length ? (chats.at(-1)?.id ?? null) : null;
    return { chats, next, total: counted[0]!.total };
  }

  async count(widgetIds: readonly number[]): Promise<Record<string, number>> {
    const rows = await queryRows<{ widget_id: number; count: number }>(
      this.dataSource,
      `SELECT thread.widget_id, count(*)::int AS count
      FROM chat.thread
      JOIN chat.turn ON turn.thread_id = thread.id
      WHERE thread.widget_id = ANY($1::int[]) AND ${recordedVisitorTurn}
      GROUP BY thread.widget_id`,
      [widgetIds],
    );
    return Object.fromEntries(rows.map(({ widget_id, count }) => [String(widget_id), count]));
  }

  /** Ids and workspaces of unfinished generations of a session. */
  async listRunning(workspaceId: number, widgetId: number, sessionId: string): Promise<string[]> {
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      `SELECT generation.id
      FROM chat.thread
      JOIN chat.generation ON generation.thread_id = thread.id
      WHERE thread.workspace_id = $1 AND thread.channel = 'widget' AND thread.widget_id = $2
        AND thread.session_id = $3 AND generation.state IN ('queued', 'running')`,
      [workspaceId, widgetId, sessionId],
    );
    return rows.map(({ id }) => id);
  }

  /** Threads of a widget, or of one of its sessions, by workspace. */
  async listThreads(widgetId: number, sessionId: string | null): Promise<Map<number, number[]>> {
    const rows = await queryRows<{ id: number; workspace_id: number }>(
      this.dataSource,
      `SELECT id, workspace_id FROM chat.thread
      WHERE widget_id = $1 AND ($2::text IS NULL OR session_id = $2)`,
      [widgetId, sessionId],
    );
    const byWorkspace = new Map<number, number[]>();
    for (const { id, workspace_id } of rows)
      byWorkspace.set(workspace_id, [...(byWorkspace.get(workspace_id) ?? []), id]);
    return byWorkspace;
  }

  /** Returns the number of their chats. */
  async deleteThreads(manager: EntityManager, ids: readonly number[]): Promise<number> {
    const turns = await queryRows<{ refused: boolean }>(
      manager,
      "DELETE FROM chat.turn WHERE thread_id = ANY($1::int[]) RETURNING refused",
      [ids],
    );
    await manager.query("DELETE FROM chat.thread WHERE id = ANY($1::int[])", [ids]);
    return turns.filter(({ refused }) => !refused).length;
  }

  /**
   * Deletes refused questions, once their pages no longer come back for the answer; returns how
   * many.
   */
  async deleteRefusals(limit: number): Promise<number> {
    const [, deleted] = await this.dataSource.query<[unknown[], number]>(
      `DELETE FROM chat.turn WHERE id IN (
        SELECT turn.id FROM chat.turn
        JOIN chat.thread ON thread.id = turn.thread_id
        WHERE turn.refused AND thread.channel = 'widget'
          AND turn.created_at < now() - interval '1 hour'
        LIMIT $1
        FOR UPDATE OF turn SKIP LOCKED
      )`,
      [limit],
    );
    return deleted;
  }

  /** A finished turn of a widget's session; returns its widget. */
  async deleteChat(manager: EntityManager, id: number): Promise<number | null> {
    const rows = await queryRows<{ widget_id: number }>(
      manager,
      `DELETE FROM chat.turn USING chat.thread
      WHERE turn.id = $1 AND thread.id = turn.thread_id AND thread.channel = 'widget'
        AND ${recordedVisitorTurn}
      RETURNING thread.widget_id`,
      [id],
    );
    return rows[0]?.widget_id ?? null;
  }

  async listWidgetIds(after: number, limit: number): Promise<number[]> {
    const rows = await queryRows<{ id: number }>(
      this.dataSource,
      `SELECT DISTINCT widget_id AS id FROM chat.thread WHERE widget_id > $1 ORDER BY id LIMIT $2`,
      [after, limit],
    );
    return rows.map(({ id }) => id);
  }
}

const bytesOf = (chat: WidgetChatWire): number => Buffer.byteLength(JSON.stringify(chat));

/** A character takes eight bytes at most: six for its escape, with the backslash escaped again. */
const shorten = (row: ChatRow): ChatRow => ({
  ...row,
  question: clipText(row.question, 40_000),
  answer: clipText(row.answer, 40_000),
  sources: [],
});

/** wire-contract 8.1. */
const mapChat = (row: ChatRow): WidgetChatWire => ({
  id: row.id,
  prompt: row.question,
  response: JSON.stringify({
    text: row.answer,
    type: row.mode,
    sources: row.sources,
    metrics: row.metrics ?? {},
  }),
  session_id: row.session_id,
  include: row.include,
  connection_information: JSON.stringify({
    host: row.visitor?.host ?? null,
    ip: row.visitor?.address ?? null,
    username: row.visitor?.username ?? null,
    verified: row.visitor?.isVerified ?? false,
  }),
  embed_id: row.widget_id,
  usersId: null,
  createdAt: row.created_at.toISOString(),
});

/** Threads per transaction, to keep locks short. */
const batch = 200;

/** Deletes the conversations of a widget and stops what runs in them. */
@Injectable()
export class WidgetChatDeletion {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chats: WidgetChatRepository,
    private readonly stopper: GenerationStopper,
    private readonly events: EventLog,
  ) {}

  /** Does nothing if there is no such chat. */
  async deleteChat(scope: Scope, chatId: number): Promise<void> {
    await inTransaction(this.dataSource, async (manager) => {
      const embedId = await this.chats.deleteChat(manager, chatId);
      if (embedId !== null)
        await this.events.record(manager, scope, "deleted_chats", { embedId, chatId, chats: 1 });
    });
  }

  deleteSession(scope: Scope, embedId: number, sessionId: string): Promise<void> {
    return this.delete(embedId, sessionId, (manager, chats) =>
      this.events.record(manager, scope, "deleted_chats", { embedId, sessionId, chats }),
    );
  }

  deleteAll(widgetId: number): Promise<void> {
    return this.delete(widgetId, null, () => Promise.resolve());
  }

  private async delete(
    widgetId: number,
    sessionId: string | null,
    record: (manager: EntityManager, chats: number) => Promise<void>,
  ): Promise<void> {
    for (const [workspaceId, ids] of await this.chats.listThreads(widgetId, sessionId))
      for (let from = 0; from < ids.length; from += batch) {
        const threadIds = ids.slice(from, from + batch);
        const stopped = await inTransaction(this.dataSource, async (manager) => {
          const stopped = await this.stopper.stopAll({ workspaceId, threadIds }, manager);
          const chats = await this.chats.deleteThreads(manager, threadIds);
          await record(manager, chats);
          return stopped;
        });
        await this.stopper.endDeleted(stopped);
      }
  }
}
