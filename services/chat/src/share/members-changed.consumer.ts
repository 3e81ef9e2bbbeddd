import { Injectable } from "@nestjs/common";
import { membersChanged, type EventPayload } from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { ShareRepository } from "./share.repository.ts";

/** Ends the links that people made in a workspace they can't use anymore. Idempotent. */
@Injectable()
export class MembersChangedConsumer {
  constructor(private readonly shares: ShareRepository) {}

  @Consume(membersChanged)
  async endLinks({
    workspaceId,
    excludedUserIds = [],
  }: EventPayload<typeof membersChanged>): Promise<void> {
    if (workspaceId !== null && excludedUserIds.length > 0)
      await this.shares.deleteOfMembers(workspaceId, excludedUserIds);
  }
}
