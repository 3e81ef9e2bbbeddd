import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { WidgetChatRepository } from "./widget-chat.repository.ts";

const batch = 500;

/** Refused questions of visitors aren't stored longer than their answers may be asked for again. */
@Injectable()
export class RefusalReconciler extends Reconciler {
  constructor(private readonly chats: WidgetChatRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    while ((await this.chats.deleteRefusals(batch)) === batch);
    return [];
  }
}
