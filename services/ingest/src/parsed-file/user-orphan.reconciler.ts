import { Injectable } from "@nestjs/common";
import { findMissingUsers, servicePrincipal, userDeleted } from "@carrel/contracts";
import {
  eventMessage,
  OrphanReconciler,
  RequestClient,
  type OutboxMessage,
} from "@carrel/messaging";
import { ParsedFileRepository } from "./parsed-file.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Deletes thread files of users whose deletion was lost in Redis; the library keeps its documents,
 * whoever uploaded them.
 */
@Injectable()
export class UserOrphanReconciler extends OrphanReconciler {
  constructor(
    private readonly files: ParsedFileRepository,
    private readonly requests: RequestClient,
  ) {
    super();
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.files.listUserIds(scope, after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    return (await this.requests.request(findMissingUsers, { ids }, { scope })).ids;
  }

  protected override deletionOf(userId: number): OutboxMessage {
    return eventMessage(userDeleted, { userId });
  }
}
