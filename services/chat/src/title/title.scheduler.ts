import { Injectable } from "@nestjs/common";
import { titleThread } from "@carrel/contracts";
import { jobMessage, Reconciler, type OutboxMessage } from "@carrel/messaging";
import { SettingsCache } from "../setting/settings-cache.ts";
import { areTitlesWritten } from "./title-settings.ts";
import { TitleRepository } from "./title.repository.ts";

const batch = 200;

/**
 * Schedules titles every minute from PostgreSQL, if an admin lets a model write them: they aren't
 * urgent, and every thread has one made from its question.
 */
@Injectable()
export class TitleScheduler extends Reconciler {
  constructor(
    private readonly titles: TitleRepository,
    private readonly settings: SettingsCache,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    const { values } = await this.settings.getInstance();
    if (!areTitlesWritten(values)) return [];
    return (await this.titles.listDue(batch)).map(({ id, turnId }) =>
      jobMessage(titleThread, {
        rowId: id,
        version: turnId,
        payload: { threadId: id, turnId },
      }),
    );
  }
}
