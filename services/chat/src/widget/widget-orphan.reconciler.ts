import { Injectable } from "@nestjs/common";
import { findMissingWidgets, servicePrincipal, widgetDeleted } from "@carrel/contracts";
import {
  eventMessage,
  OrphanReconciler,
  RequestClient,
  type OutboxMessage,
} from "@carrel/messaging";
import { WidgetChatRepository } from "./widget-chat.repository.ts";

/** Deletes chats of widgets whose deletion was lost, or whose visitors were still asking. */
@Injectable()
export class WidgetOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly chats: WidgetChatRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.chats.listWidgetIds(after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    const scope = { principal: servicePrincipal, workspace: null };
    return (await this.requests.request(findMissingWidgets, { ids }, { scope })).ids;
  }

  protected override deletionOf(widgetId: number): OutboxMessage {
    return eventMessage(widgetDeleted, { widgetId });
  }
}
