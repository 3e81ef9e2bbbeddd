import { hash } from "node:crypto";
import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  acceptInvite,
  createInvites,
  listInviteLimits,
  type In,
  type Out,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { AccessModule, InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { NewPasswords } from "../password/password-rules.ts";
import { PasswordModule } from "../password/password.module.ts";
import { SecretModule, hintOf, randomCode } from "../secret/secret-hasher.ts";
import { requirePasswordLogin } from "../sign-in-token/sign-in-token.repository.ts";
import { Attempts, ThrottleModule } from "../throttle/attempts.ts";
import { refuseUsername } from "../user/user-fields.ts";
import { UserModule } from "../user/user.repository.ts";
import { isOpen, type Invite } from "./invite.entity.ts";
import { InviteClaims, InviteHandler, unusableInvite } from "./invite.handler.ts";
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
class InviteBatchHandler {
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

type Acceptance = Out<typeof acceptInvite>;

@Controller()
class InviteAcceptanceHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly instance: InstanceAccessRepository,
    private readonly invites: InviteRepository,
    private readonly claims: InviteClaims,
    private readonly passwords: NewPasswords,
    private readonly attempts: Attempts,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  /** Limits guesses by address. The password is hashed only for a valid code. */
  @Handle(acceptInvite)
  accept(input: In<typeof acceptInvite>, context: RequestContext): Promise<Acceptance> {
    requirePasswordLogin(this.config);
    const address = input.address ?? context.scope.address;
    return this.attempts.count({ kind: "token", address }, () =>
      this.acceptOnce(input, {
        ...context,
        scope: { ...context.scope, ...(address !== undefined && { address }) },
      }),
    );
  }

  private async acceptOnce(
    { code, username, password }: In<typeof acceptInvite>,
    context: RequestContext,
  ): Promise<Acceptance> {
    if ((await this.instance.get()).mode !== "multi") throw unusableInvite();
    const inviteHash = this.invites.hash(code);
    // On redelivery the invite is already claimed, and the stored result is returned.
    const invite = await this.invites.findByHash(inviteHash);
    if (invite === null || invite.status === "disabled") throw unusableInvite();
    const refusal = refuseUsername(username);
    if (refusal !== null) throw refusal;
    this.passwords.check(password);
    const passwordHash = isOpen(invite) ? await this.passwords.hash(password) : null;
    // Anonymous callers share one principal, so the same idempotency key chosen by two of them must
    // not merge their requests.
    const idempotencyKey = hash(
      "sha256",
      JSON.stringify([context.idempotencyKey, inviteHash, username]),
    );
    return keyed(this.dataSource, { ...context, idempotencyKey }, (manager) =>
      this.claims.claim(manager, context.scope, { inviteHash, username, passwordHash }),
    );
  }
}

@Module({
  imports: [AccessModule, EventLogModule, PasswordModule, SecretModule, ThrottleModule, UserModule],
  controllers: [InviteAcceptanceHandler, InviteBatchHandler, InviteHandler],
  providers: [InviteClaims, InviteRepository],
})
export class InviteModule {}
