import { Injectable } from "@nestjs/common";
import {
  accessChanged,
  findUsers,
  findWorkspaces,
  membersChanged,
  servicePrincipal,
  type EventPayload,
} from "@carrel/contracts";
import { Consume, RequestClient } from "@carrel/messaging";
import { ShareRepository } from "./share.repository.ts";

/**
 * Ends the links that people made in workspaces they can't use anymore: they were removed, or are no
 * longer managers. Idempotent. A late event does no harm, because only what they may use now counts.
 */
@Injectable()
export class LostAccessConsumer {
  constructor(
    private readonly shares: ShareRepository,
    private readonly requests: RequestClient,
  ) {}

  @Consume(membersChanged)
  async onMembersChanged({
    excludedUserIds = [],
  }: EventPayload<typeof membersChanged>): Promise<void> {
    for (const userId of excludedUserIds) await this.endUnusable(userId);
  }

  @Consume(accessChanged)
  async onAccessChanged({ userId }: EventPayload<typeof accessChanged>): Promise<void> {
    if (userId !== undefined) await this.endUnusable(userId);
  }

  private async endUnusable(userId: number): Promise<void> {
    const ids = await this.shares.listWorkspaces(userId);
    if (ids.length === 0) return;
    const { users } = await this.requests.request(
      findUsers,
      { ids: [userId] },
      { scope: { principal: servicePrincipal, workspace: null } },
    );
    // Managers and admins can use every workspace.
    if (users[0]?.role !== "default") return;
    const { workspaces } = await this.requests.request(
      findWorkspaces,
      { ids },
      { scope: { principal: { kind: "user", userId, role: "default" }, workspace: null } },
    );
    const usable = new Set(workspaces.map(({ id }) => id));
    await this.shares.deleteOfMember(
      userId,
      ids.filter((id) => !usable.has(id)),
    );
  }
}
