import type { InstanceConfig } from "@carrel/config";
import { CarrelError, createInvites, listInviteLimits, type In, type Out } from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event-log/event-log.ts";
import { hintOf } from "../secret/mask.ts";
import { randomCode } from "../secret/secret-hasher.ts";
import { requirePasswordLogin } from "../sign-in-token/simple-sso.ts";
import type { Invite } from "./invite.entity.ts";
import { InviteRepository } from "./invite.repository.ts";

const mapLimits = ({ id, label, role, maxUses, expiresAt }: Invite) => ({
  id,
  label,
  role,
  maxUses,
  expiresAt: expiresAt?.toISOString() ?? null,
});

/** Invites for a list of people, and links that a whole team can use. */
@Controller()
export class InviteBatchHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly invites: InviteRepository,
    private readonly events: EventLog,
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  @Handle(createInvites)
  async create(
    input: In<typeof createInvites>,
    ctx: RequestContext,
  ): Promise<Out<typeof createInvites>> {
    requirePasswordLogin(this.config);
    const expiresAt = input.expiresAt == null ? null : new Date(input.expiresAt);
    if (expiresAt !== null && expiresAt.getTime() <= Date.now())
      throw new CarrelError("invite.expiry-past");
    const workspaceIds = [...new Set(input.workspaceIds)];
    return keyed(
      this.dataSource,
      ctx,
      async (manager) => {
        const invites: Out<typeof createInvites>["invites"] = [];
        for (const { label, role, maxUses } of input.invites) {
          const code = randomCode();
          const made = await this.invites.create(ctx.scope, manager, {
            hash: this.invites.hash(code),
            hint: hintOf(code),
            sealedCode: this.box.seal(code),
            workspaceIds,
            label: label || null,
            role,
            maxUses,
            expiresAt,
          });
          await this.events.record(manager, ctx.scope, "invite_created", {
            inviteId: made.id,
            workspaceIds,
            role,
            maxUses,
          });
          invites.push({ ...mapLimits(made), code });
        }
        return { invites };
      },
      this.box,
    );
  }

  @Handle(listInviteLimits)
  async list(
    _input: In<typeof listInviteLimits>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listInviteLimits>> {
    const invites = await this.invites.list(scope);
    return { limits: invites.map((invite) => ({ ...mapLimits(invite), uses: invite.uses })) };
  }
}
