import {
  CarrelError,
  createSchedule,
  rotateScheduleSecret,
  updateSchedule,
  type In,
  type Out,
  type Principal,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event-log/event-log.module.ts";
import { OwnerScopes } from "../owner/owner.module.ts";
import { createSigningSecret } from "../schedule/schedule-signature.ts";
import { ScheduleWriter, needsScheduleProof } from "../schedule/schedule-writer.ts";
import { ScheduleRepository } from "../schedule/schedule.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { ScheduleViews } from "./schedule-views.ts";

/** Creates and changes schedules. */
@Controller()
export class ScheduleWriteHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly schedules: ScheduleRepository,
    private readonly writer: ScheduleWriter,
    private readonly views: ScheduleViews,
    private readonly owners: OwnerScopes,
    private readonly eventLog: EventLog,
    private readonly secretBox: SecretBox,
  ) {}

  @Handle(createSchedule)
  async create(
    { slug: _, ownerId, ...content }: In<typeof createSchedule>,
    ctx: RequestContext,
  ): Promise<Out<typeof createSchedule>> {
    const scope = inWorkspace(ctx.scope);
    if (needsScheduleProof(scope.principal, null, { content, webhookBefore: null }))
      throw new CarrelError("access.proof-due");
    const owner = await this.findOwner(scope.principal, ownerId ?? null, scope.workspace.id);
    const { fields, secret } = await this.writer.prepare(owner, content, null);
    return keyed(
      this.dataSource,
      ctx,
      async (manager) => {
        const { id: workspaceId, slug: workspaceSlug } = scope.workspace;
        const place = { workspaceId, userId: owner.userId, byAgent: false };
        const id = await this.writer.create(manager, place, fields);
        const { name, work } = fields;
        const entry = { id, name, kind: work.kind, workspaceSlug };
        await this.eventLog.record(manager, scope, "schedule_created", entry);
        const row = await this.schedules.findAny(id, manager);
        return { schedule: this.views.describeNew(scope, row!), secret };
      },
      this.secretBox,
    );
  }

  @Handle(updateSchedule)
  async update(
    { id, ...content }: In<typeof updateSchedule>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateSchedule>> {
    const before = await this.schedules.findOwn(scope, id);
    const webhookBefore = this.writer.openWebhook(before);
    if (needsScheduleProof(scope.principal, before, { content, webhookBefore }))
      throw new CarrelError("access.proof-due");
    const owner = { userId: before.userId, role: scope.principal.role };
    const { fields, secret } = await this.writer.prepare(owner, content, before);
    await this.dataSource.transaction(async (manager) => {
      await this.schedules.findOwn(scope, id, manager);
      await this.schedules.update(manager, id, fields);
      const entry = { id, name: fields.name };
      await this.eventLog.record(manager, scope, "schedule_updated", entry);
    });
    const row = await this.schedules.findOwn(scope, id);
    return { schedule: await this.views.describe(scope, row), secret };
  }

  @Handle(rotateScheduleSecret)
  rotate(
    { id }: In<typeof rotateScheduleSecret>,
    ctx: RequestContext,
  ): Promise<Out<typeof rotateScheduleSecret>> {
    const { scope } = ctx;
    return keyed(
      this.dataSource,
      ctx,
      async (manager) => {
        const row = await this.schedules.findOwn(scope, id, manager);
        if (row.sealedWebhook === null) throw new CarrelError("schedule.webhook-missing");
        const secret = createSigningSecret();
        await this.schedules.setSecret(manager, id, this.secretBox.seal(secret));
        await this.eventLog.record(manager, scope, "schedule_secret_replaced", {
          id,
          name: row.name,
        });
        return { secret };
      },
      this.secretBox,
    );
  }

  /** Keys own nothing where there are accounts: they say whose schedule it is. */
  private async findOwner(
    { kind, userId, role }: Principal,
    ownerId: number | null,
    workspaceId: number,
  ): Promise<{ userId: number | null; role: Principal["role"] }> {
    if (kind !== "key") return { userId, role };
    const { scope, fault } = await this.owners.find(ownerId, workspaceId);
    if (fault === null) return { userId: ownerId, role: scope.principal.role };
    throw ownerId === null
      ? new CarrelError("schedule.owner-needed")
      : CarrelError.fromFault(fault);
  }
}
