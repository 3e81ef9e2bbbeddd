import { Injectable } from "@nestjs/common";
import { findMissingUsers, servicePrincipal, userDeleted } from "@carrel/contracts";
import {
  eventMessage,
  OrphanReconciler,
  RequestClient,
  type OutboxMessage,
} from "@carrel/messaging";
import { UserReferenceRepository } from "./user-reference.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Removes users whose deletion was lost in Redis, or who were added just as they were deleted.
 */
@Injectable()
export class UserOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly references: UserReferenceRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.references.listUserIds(scope, after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    return (await this.requests.request(findMissingUsers, { ids }, { scope })).ids;
  }

  protected override deletionOf(userId: number): OutboxMessage {
    return eventMessage(userDeleted, { userId });
  }
}
