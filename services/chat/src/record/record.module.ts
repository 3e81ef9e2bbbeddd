import {
  CarrelError,
  cursorId,
  deleteRecordedChats,
  exportChatRecords,
  listChatRecords,
  readChatRecordText,
  readCursor,
  readSystemPrompt,
  type ChatRecordFilter,
  type In,
  type Out,
  type Scope,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { z } from "zod";
import { inTransaction } from "../database/in-transaction.ts";
import { queryRows } from "../database/query-rows.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { TurnBranches, TurnChanges } from "../turn/turn-branches.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { inWorkspace } from "../workspace-scope.ts";
import {
  ChatRecordRepository,
  recordCondition,
  type RecordCondition,
} from "./chat-record.repository.ts";
import { RecordExportRepository } from "./record-export.repository.ts";

/** Threads per transaction, to keep locks short. */
const batch = 500;
/** Answers without text and threads in the trash are deleted too, although nobody sees them. */
const tables = "turn JOIN chat.thread ON thread.id = turn.thread_id";
const finished = "turn.state IN ('done', 'failed', 'cancelled')";

/** The recorded turns of one person in one thread: a thread without an owner may have several. */
interface ThreadPart {
  thread_id: number;
  workspace_id: number;
  user_id: number | null;
  ids: number[];
  /** Whether the thread has no other turns. */
  is_all: boolean;
}

/** Deletes recorded chats of any user for good. Running answers aren't recorded yet and stay. */
@Injectable()
class RecordDeletion {
  constructor(
    private readonly dataSource: DataSource,
    private readonly branches: TurnBranches,
    private readonly changes: TurnChanges,
    private readonly events: EventLog,
  ) {}

  async deleteOne(scope: Scope, filter: ChatRecordFilter, id: number): Promise<void> {
    const { where, values } = recordCondition(filter, finished);
    const condition = {
      where: `${where} AND turn.id = $${values.length + 1}`,
      values: [...values, id],
    };
    const [found] = await this.listThreadIds(condition, 0);
    if (found !== undefined) await this.deleteBatch(scope, condition, [found], { chatId: id });
  }

  /** In batches: after a failure, calling it again deletes the rest. */
  async deleteAll(scope: Scope, filter: ChatRecordFilter): Promise<void> {
    const condition = recordCondition(filter, finished);
    for (let after = 0; ;) {
      const threadIds = await this.listThreadIds(condition, after);
      if (threadIds.length === 0) return;
      await this.deleteBatch(scope, condition, threadIds, describe(filter));
      after = threadIds.at(-1)!;
    }
  }

  private async listThreadIds(
    { where, values }: RecordCondition,
    after: number,
  ): Promise<number[]> {
    const rows = await queryRows<{ id: number }>(
      this.dataSource,
      `SELECT DISTINCT thread.id FROM ${tables}
      WHERE ${where} AND thread.id > $${values.length + 1}
      ORDER BY thread.id LIMIT ${batch}`,
      [...values, after],
    );
    return rows.map(({ id }) => id);
  }

  private async deleteBatch(
    scope: Scope,
    condition: RecordCondition,
    threadIds: number[],
    metadata: Record<string, unknown>,
  ): Promise<void> {
    const parts = await inTransaction(this.dataSource, async (manager) => {
      await this.branches.lock(manager, threadIds);
      const found = await listParts(manager, condition, threadIds);
      const chats = found.reduce((sum, { ids }) => sum + ids.length, 0);
      if (chats === 0) return [];
      await manager.query("DELETE FROM chat.turn WHERE id = ANY($1::int[])", [
        found.filter(({ is_all }) => is_all).flatMap(({ ids }) => ids),
      ]);
      for (const part of found)
        if (!part.is_all)
          await this.branches.delete(manager, ownerOf(part), part.thread_id, part.ids);
      await this.events.record(manager, scope, "deleted_chats", { ...metadata, chats });
      return found;
    });
    for (const part of parts) this.changes.announce(ownerOf(part), part.thread_id);
  }
}

const listParts = (
  manager: EntityManager,
  { where, values }: RecordCondition,
  threadIds: number[],
): Promise<ThreadPart[]> =>
  queryRows<ThreadPart>(
    manager,
    `SELECT turn.thread_id, turn.workspace_id, turn.user_id, array_agg(turn.id) AS ids,
      count(*) = (SELECT count(*) FROM chat.turn every WHERE every.thread_id = turn.thread_id) AS is_all
    FROM ${tables}
    WHERE ${where} AND turn.thread_id = ANY($${values.length + 1}::int[])
    GROUP BY turn.thread_id, turn.workspace_id, turn.user_id`,
    [...values, threadIds],
  );

/** The person whose turns they are, for whom the thread's tree is kept. */
const ownerOf = ({ workspace_id, user_id }: ThreadPart): WorkspaceScope => ({
  principal: { kind: "service", userId: user_id, role: "none" },
  workspace: { id: workspace_id, slug: "" },
});

/** Describes the filter for the event log, without the words searched for. */
const describe = ({ search, timeZone: _zone, ...filter }: ChatRecordFilter) => ({
  ...filter,
  ...(search === undefined ? {} : { search: true }),
});

/** A chat's ID. */
const place = z.tuple([cursorId]);

/** Recorded chats of everyone: the gateway checks whether they may be seen at all. */
@Controller()
class RecordHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly records: ChatRecordRepository,
    private readonly exports: RecordExportRepository,
    private readonly deletion: RecordDeletion,
    private readonly events: EventLog,
    private readonly settings: SettingsCache,
  ) {}

  @Handle(listChatRecords)
  list(
    { offset, limit, cursor, ...filter }: In<typeof listChatRecords>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listChatRecords>> {
    const { workspaceIds } = scope.principal;
    return this.records.page(
      scope,
      { ...filter, workspaceIds },
      cursor === undefined ? { skip: offset * limit } : { after: readCursor(place, cursor)[0] },
      limit,
    );
  }

  @Handle(exportChatRecords)
  async export(
    { type, after, ...filter }: In<typeof exportChatRecords>,
    { scope }: RequestContext,
  ): Promise<Out<typeof exportChatRecords>> {
    const { workspaceIds } = scope.principal;
    const page = await this.exports.page(
      scope,
      { ...filter, workspaceIds },
      {
        sources: type === "jsonAlpaca",
        images: type === "json" || type === "jsonl",
        byWorkspace: type === "jsonl",
      },
      after,
    );
    if (after === null)
      await this.dataSource.transaction((manager) =>
        this.events.record(manager, scope, "exported_chats", { type, chatType: filter.chatType }),
      );
    return page;
  }

  @Handle(readChatRecordText)
  async readText(
    { id, text, from }: In<typeof readChatRecordText>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readChatRecordText>> {
    const found = await this.exports.readText(scope, id, text, from);
    if (found === null) throw new CarrelError("turn.not-found");
    return found;
  }

  @Handle(readSystemPrompt)
  async readPrompt(
    _input: In<typeof readSystemPrompt>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readSystemPrompt>> {
    return { prompt: await this.settings.getSystemPrompt(inWorkspace(scope)) };
  }

  @Handle(deleteRecordedChats)
  async delete(
    { id, ...filter }: In<typeof deleteRecordedChats>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteRecordedChats>> {
    await (id === -1
      ? this.deletion.deleteAll(scope, filter)
      : this.deletion.deleteOne(scope, filter, id));
    return { success: true, error: null };
  }
}

@Module({
  imports: [EventLogModule, SettingModule, TurnModule],
  controllers: [RecordHandler],
  providers: [ChatRecordRepository, RecordDeletion, RecordExportRepository],
})
export class RecordModule {}
