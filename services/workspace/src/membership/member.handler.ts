import {
  addMember,
  CarrelError,
  createAdminWorkspace,
  deleteAdminWorkspace,
  listAdminWorkspacePage,
  listMembers,
  manageMembers,
  updateMembers,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { requireManager, unknownWorkspace } from "../access/workspace-rights.ts";
import { WorkspaceLifecycle } from "../lifecycle/workspace-lifecycle.ts";
import type { Member } from "../member/member.entity.ts";
import { MemberRepository } from "../member/member.repository.ts";
import { UserDirectory, type KnownUser } from "../user/user-directory.ts";
import { mapWorkspaceToWire } from "../workspace/workspace.mapper.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import { Membership } from "./membership.ts";

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
export class MemberHandler {
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
