import {
  CarrelError,
  cursorId,
  deleteRecordedChats,
  exportChatRecords,
  listChatRecords,
  readChatRecordText,
  readCursor,
  readSystemPrompt,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { z } from "zod";
import { EventLog, EventLogModule } from "../event-log/event-log.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { ChatRecordRepository } from "./chat-record.repository.ts";
import { RecordDeletion } from "./record-deletion.ts";
import { RecordExportRepository } from "./record-export.repository.ts";

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
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof listChatRecords>> {
    const { workspaceIds } = principal;
    return this.records.page(
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
  async readText({
    id,
    text,
    from,
  }: In<typeof readChatRecordText>): Promise<Out<typeof readChatRecordText>> {
    const found = await this.exports.readText(id, text, from);
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
