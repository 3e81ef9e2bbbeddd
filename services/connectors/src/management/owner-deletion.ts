import {
  findMissingUsers,
  servicePrincipal,
  userDeleted,
  type EventPayload,
} from "@carrel/contracts";
import {
  Consume,
  eventMessage,
  OrphanReconciler,
  RequestClient,
  type OutboxMessage,
} from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { ConnectionRepository } from "../connection/connection.repository.ts";

const scope = { principal: servicePrincipal, workspace: null };

/** Sources of deleted users keep their documents and settings, but not the user's credentials. */
@Injectable()
export class OwnerDeletion extends OrphanReconciler {
  constructor(
    private readonly connections: ConnectionRepository,
    private readonly client: RequestClient,
  ) {
    super();
  }

  @Consume(userDeleted)
  async disown({ userId }: EventPayload<typeof userDeleted>): Promise<void> {
    await this.connections.disown(userId);
  }

  protected override listIds(after: number, limit: number): Promise<number[]> {
    return this.connections.listOwnerIds(after, limit);
  }

  protected override async findMissing(ids: number[]): Promise<number[]> {
    return (await this.client.request(findMissingUsers, { ids }, { scope })).ids;
  }

  protected override deletionOf(userId: number): OutboxMessage {
    return eventMessage(userDeleted, { userId });
  }
}
