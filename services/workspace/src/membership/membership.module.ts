import {
  CarrelError,
  addMember,
  createAdminWorkspace,
  deleteAdminWorkspace,
  findMissingUsers,
  inviteAccepted,
  listAdminWorkspacePage,
  listMembers,
  manageMembers,
  servicePrincipal,
  updateMembers,
  userDeleted,
  type EventPayload,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import {
  Consume,
  Handle,
  OrphanReconciler,
  RequestClient,
  eventMessage,
  keyed,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { requireManager, unknownWorkspace } from "../access/workspace-rights.ts";
import { EventModule } from "../event/event.module.ts";
import { LifecycleModule } from "../lifecycle/lifecycle.module.ts";
import { WorkspaceLifecycle } from "../lifecycle/workspace-lifecycle.ts";
import type { Member } from "../member/member.entity.ts";
import { MemberModule, MemberRepository } from "../member/member.repository.ts";
import { NoticeModule } from "../notice/notice.module.ts";
import { NoticeRepository } from "../notice/notice.repository.ts";
import { PresetModule } from "../preset/preset.module.ts";
import { PresetRepository } from "../preset/preset.repository.ts";
import { UserDirectory, UserModule, type KnownUser } from "../user/user-directory.ts";
import { WorkspaceModule } from "../workspace/workspace-read.repository.ts";
import { mapWorkspaceToWire } from "../workspace/workspace.mapper.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { MemberChanges, Membership, UserReferenceRepository } from "./membership.ts";

/**
 * Maximum bytes of workspaces per page. A reply between services is limited to 1 MiB, and one
 * workspace takes at most 400 KB, for a prompt of 100,000 characters and its members.
 */
const maxBytes = 600_000;
/** Rows read for one page. */
const maxRead = 1_000;

/**
 * Cuts rows to what fits into one reply, but at least one. Fewer rows than `asked` mean the end of
 * the list. `next` is the `after` of the next page.
 */
function cutPage<Row extends { id: number }>(
  rows: readonly Row[],
  asked: number,
): { workspaces: Row[]; next: number | null } {
  let bytes = 0;
  const fitting = rows.findIndex(
    (row, index) => (bytes += Buffer.byteLength(JSON.stringify(row))) > maxBytes && index > 0,
  );
  const workspaces = fitting < 0 ? [...rows] : rows.slice(0, fitting);
  return {
    workspaces,
    next: fitting < 0 && rows.length < asked ? null : (workspaces.at(-1)?.id ?? null),
  };
}

type MemberWire = Out<typeof listMembers>["users"][number];

/** Maps members to the wire format, leaving out deleted users (wire-contract 7). */
const mapMembersToWire = (
  members: readonly Member[],
  users: ReadonlyMap<number, KnownUser>,
): MemberWire[] =>
  members.flatMap((member) => {
    const user = users.get(member.userId);
    return user === undefined
      ? []
      : [
          {
            userId: user.id,
            username: user.username,
            role: user.role,
            lastUpdatedAt: member.createdAt.toISOString(),
          },
        ];
  });

@Controller()
class MemberHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly members: MemberRepository,
    private readonly membership: Membership,
    private readonly workspaces: WorkspaceRepository,
    private readonly lifecycle: WorkspaceLifecycle,
    private readonly users: UserDirectory,
  ) {}

  @Handle(listAdminWorkspacePage)
  async listWorkspaces(
    { after }: In<typeof listAdminWorkspacePage>,
    context: RequestContext,
  ): Promise<Out<typeof listAdminWorkspacePage>> {
    const workspaces = await this.workspaces.listWithMembers(context.scope, after, maxRead);
    return cutPage(
      workspaces.map((workspace) => ({
        ...mapWorkspaceToWire(workspace),
        userIds: workspace.userIds,
      })),
      maxRead,
    );
  }

  @Handle(listMembers)
  async list(
    { id }: In<typeof listMembers>,
    context: RequestContext,
  ): Promise<Out<typeof listMembers>> {
    const members = await this.members.list(context.scope, id);
    return {
      users: mapMembersToWire(
        members,
        await this.users.find(members.map((member) => member.userId)),
      ),
    };
  }

  @Handle(createAdminWorkspace)
  async createWorkspace(
    input: In<typeof createAdminWorkspace>,
    context: RequestContext,
  ): Promise<Out<typeof createAdminWorkspace>> {
    const created = await keyed(this.dataSource, context, async (manager) => {
      const workspace = await this.lifecycle.create(context.scope, manager, input.name);
      return { workspace, error: null };
    });
    await this.lifecycle.announceCreation(created.workspace.id);
    return created;
  }

  @Handle(updateMembers)
  async update(
    { id, userIds }: In<typeof updateMembers>,
    context: RequestContext,
  ): Promise<Out<typeof updateMembers>> {
    requireManager(context.scope);
    const after = await this.membership.set(
      context.scope,
      (workspaces) => workspaces.findById(context.scope, id),
      userIds,
      { replace: true },
    );
    if (after === null) throw new CarrelError("workspace.to-update-not-found");
    return { success: true, error: null };
  }

  @Handle(deleteAdminWorkspace)
  async deleteWorkspace(
    { id }: In<typeof deleteAdminWorkspace>,
    context: RequestContext,
  ): Promise<Out<typeof deleteAdminWorkspace>> {
    this.lifecycle.requireDeletable();
    requireManager(context.scope);
    // Keyed although deletion is idempotent, because a redelivery would otherwise report the
    // deleted workspace as unknown.
    return keyed(this.dataSource, context, async (manager) => {
      const workspace = await this.workspaces.findById(context.scope, id);
      const removed =
        workspace === null
          ? null
          : await this.lifecycle.remove(
              { ...context.scope, workspace: { id: workspace.id, slug: workspace.slug } },
              manager,
            );
      if (workspace === null || removed === null) throw unknownWorkspace();
      return { workspaceId: workspace.id, pictureKey: removed.pictureKey };
    }).then(async ({ workspaceId, pictureKey }) => {
      await this.lifecycle.announceRemoval(workspaceId);
      return { success: true, error: null, pictureKey };
    });
  }

  @Handle(manageMembers)
  async manage(
    { slug, userIds, reset }: In<typeof manageMembers>,
    context: RequestContext,
  ): Promise<Out<typeof manageMembers>> {
    requireManager(context.scope);
    const after = await this.membership.set(
      context.scope,
      (workspaces) => workspaces.findBySlug(context.scope, slug),
      userIds,
      { replace: reset, needsUser: true },
    );
    if (after === null) throw unknownWorkspace();
    return { users: mapMembersToWire(after.members, after.users) };
  }

  @Handle(addMember)
  async add(
    { userId, workspaceIds }: In<typeof addMember>,
    context: RequestContext,
  ): Promise<Out<typeof addMember>> {
    await this.membership.join(context.scope, userId, workspaceIds);
    return {};
  }
}

/**
 * Removes a deleted user: their memberships, commands and notices are deleted, and everything else they
 * owned or created stays without an owner.
 */
@Injectable()
class UserRemoval {
  constructor(
    private readonly dataSource: DataSource,
    private readonly workspaces: WorkspaceRepository,
    private readonly members: MemberRepository,
    private readonly presets: PresetRepository,
    private readonly notices: NoticeRepository,
    private readonly references: UserReferenceRepository,
    private readonly changes: MemberChanges,
  ) {}

  async remove(scope: Scope, userId: number): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Workspace rows are always locked before member rows, to avoid deadlocks.
      await this.workspaces.disown(scope, manager, userId);
      await this.members.removeUser(scope, manager, userId);
      await this.presets.removeUser(scope, manager, userId);
      await this.notices.removeUser(scope, manager, userId);
      await this.references.clear(scope, manager, userId);
      await this.changes.record(manager, null, [userId]);
    });
    await this.changes.announce(null, [userId]);
  }
}

const scope = { principal: servicePrincipal, workspace: null };

/**
 * Removes users whose deletion was lost in Redis, or who were added just as they were deleted.
 */
@Injectable()
class UserOrphanReconciler extends OrphanReconciler {
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

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** Applies auth's user events. */
@Injectable()
class MemberConsumer {
  constructor(
    private readonly membership: Membership,
    private readonly removal: UserRemoval,
    private readonly users: UserDirectory,
  ) {}

  @Consume(inviteAccepted)
  async join({ userId, workspaceIds }: EventPayload<typeof inviteAccepted>): Promise<void> {
    // If the event arrives late, the user may have been deleted in the meantime.
    if (!(await this.users.find([userId])).has(userId)) return;
    await this.membership.join(serviceScope, userId, workspaceIds);
  }

  @Consume(userDeleted)
  async removeUser({ userId }: EventPayload<typeof userDeleted>): Promise<void> {
    await this.removal.remove(serviceScope, userId);
  }
}

@Module({
  imports: [
    EventModule,
    LifecycleModule,
    MemberModule,
    NoticeModule,
    PresetModule,
    UserModule,
    WorkspaceModule,
  ],
  controllers: [MemberHandler],
  providers: [
    MemberChanges,
    MemberConsumer,
    Membership,
    UserOrphanReconciler,
    UserReferenceRepository,
    UserRemoval,
  ],
})
export class MembershipModule {}
