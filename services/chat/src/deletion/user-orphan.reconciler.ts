import { Injectable } from "@nestjs/common";
import { findMissingUsers, servicePrincipal, userDeleted } from "@carrel/contracts";
import {
  eventMessage,
  OrphanReconciler,
  RequestClient,
  type OutboxMessage,
} from "@carrel/messaging";
import { DeletionRepository } from "./deletion.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Deletes conversations and memories of users whose deletion was lost in Redis, or who were still
 * asking when they were deleted.
 */
@Injectable()
export class UserOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly deletions: DeletionRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.deletions.listUserIds(after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    return (await this.requests.request(findMissingUsers, { ids }, { scope })).ids;
  }

  protected override deletionOf(userId: number): OutboxMessage {
    return eventMessage(userDeleted, { userId });
  }
}
