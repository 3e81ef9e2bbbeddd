import { hash } from "node:crypto";
import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  acceptInvite,
  createInvites,
  listInviteLimits,
  type In,
  type Out,
  createInvite,
  disableInvite,
  getInvite,
  inviteAccepted,
  listInvites,
  servicePrincipal,
  type InviteWire,
  type Scope,
} from "@carrel/contracts";
import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { Handle, keyed, type RequestContext, Outbox, eventMessage } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject, Module, Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { AccessModule, InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { NewPasswords } from "../password/password-rules.ts";
import { PasswordModule } from "../password/password.module.ts";
import { SecretModule, hintOf, randomCode, maskCode } from "../secret/secret-hasher.ts";
import { requirePasswordLogin } from "../sign-in-token/sign-in-token.repository.ts";
import { Attempts, ThrottleModule } from "../throttle/attempts.ts";
import { refuseUsername } from "../user/user-fields.ts";
import type { User } from "../user/user.entity.ts";
import { UserModule, UserRepository } from "../user/user.repository.ts";
import { isOpen, type Invite } from "./invite.entity.ts";
import { InviteRepository } from "./invite.repository.ts";

/** Accepting an invite happens before sign-in, so Carrel itself creates the account. */
const own: Scope = { principal: servicePrincipal, workspace: null };

const unusableInvite = (): CarrelError => new CarrelError("invite.unusable");

interface Claim {
  inviteHash: string;
  username: string;
  /** Null if the invite was no longer pending before the transaction. */
  passwordHash: string | null;
}

/** Turns an invite into an account, in the caller's transaction. */
@Injectable()
class InviteClaims {
  constructor(
    private readonly invites: InviteRepository,
    private readonly users: UserRepository,
    private readonly events: EventLog,
    private readonly outbox: Outbox,
  ) {}

  async claim(
    manager: EntityManager,
    scope: Scope,
    { inviteHash, username, passwordHash }: Claim,
  ): Promise<Out<typeof acceptInvite>> {
    const invite = await this.invites.lockByHash(manager, inviteHash);
    if (invite === null || !isOpen(invite) || passwordHash === null) throw unusableInvite();
    await this.requireEntitledCreator(invite);
    const user = await this.users.create(own, manager, {
      username,
      role: invite.role,
      passwordHash,
    });
    await this.invites.claim(manager, invite.id, user.id);
    await this.events.record(
      manager,
      scope,
      "invite_accepted",
      { inviteId: invite.id, username, workspaceIds: invite.workspaceIds },
      user.id,
    );
    await this.outbox.add(
      manager,
      eventMessage(inviteAccepted, { userId: user.id, workspaceIds: invite.workspaceIds }),
    );
    return { success: true, error: null, userId: user.id, workspaceIds: invite.workspaceIds };
  }

  /** A link grants no role that its creator may no longer assign. */
  private async requireEntitledCreator({ role, createdBy }: Invite): Promise<void> {
    if (role === "default") return;
    const [creator] = createdBy === null ? [] : await this.users.findMany([createdBy]);
    if (creator === undefined || creator.suspended || creator.role === "default")
      throw unusableInvite();
  }
}

/** Managing invites; accepting one is in `InviteAcceptanceHandler`. */
@Controller()
class InviteHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly invites: InviteRepository,
    private readonly users: UserRepository,
    private readonly events: EventLog,
    private readonly box: SecretBox,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  @Handle(getInvite)
  async get({ code }: In<typeof getInvite>): Promise<Out<typeof getInvite>> {
    const invite = await this.invites.findByHash(this.invites.hash(code));
    if (invite === null) throw new CarrelError("invite.not-found");
    if (!isOpen(invite)) throw new CarrelError("invite.no-longer-valid");
    return { invite: { code, status: invite.status }, error: null };
  }

  @Handle(listInvites)
  async list(
    _input: In<typeof listInvites>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listInvites>> {
    const invites = await this.invites.list(scope);
    return { invites: await this.map(invites, (invite) => this.readCode(scope, invite)) };
  }

  @Handle(createInvite)
  async create(
    { workspaceIds }: In<typeof createInvite>,
    ctx: RequestContext,
  ): Promise<Out<typeof createInvite>> {
    requirePasswordLogin(this.config);
    const { scope } = ctx;
    const run = async (manager: EntityManager): Promise<Out<typeof createInvite>> => {
      const code = randomCode();
      const made = await this.invites.create(scope, manager, {
        hash: this.invites.hash(code),
        hint: hintOf(code),
        sealedCode: this.box.seal(code),
        workspaceIds: [...new Set(workspaceIds ?? [])],
      });
      await this.events.record(manager, scope, "invite_created", {
        inviteId: made.id,
        workspaceIds: made.workspaceIds,
      });
      const [shown] = await this.map([made], () => code);
      return { invite: shown ?? null, error: null };
    };
    return keyed(this.dataSource, ctx, run, this.box);
  }

  /** An accepted invite stays accepted, because its account exists. */
  @Handle(disableInvite)
  disable(
    { id }: In<typeof disableInvite>,
    { scope }: RequestContext,
  ): Promise<Out<typeof disableInvite>> {
    return this.dataSource.transaction(async (manager) => {
      const invite = await this.invites.lock(scope, manager, id);
      if (invite === null) throw new CarrelError("invite.not-found");
      if (invite.status === "claimed") throw new CarrelError("invite.already-accepted");
      if (invite.status === "disabled") return { success: true, error: null };
      await this.invites.disable(scope, manager, id);
      await this.events.record(manager, scope, "invite_deleted", { inviteId: id });
      return { success: true, error: null };
    });
  }

  /** Existing clients copy the link from the list. Managers could raise themselves with others' links. */
  private readCode({ principal }: Scope, { status, hint, sealedCode }: Invite): string {
    if (status !== "pending") return maskCode(hint, "no longer valid");
    if (principal.role !== "admin") return maskCode(hint, "only admins can copy it");
    try {
      if (sealedCode !== null) return this.box.open(sealedCode);
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
    }
    return maskCode(hint, "shown only when created");
  }

  private async map(
    invites: readonly Invite[],
    codeOf: (invite: Invite) => string,
  ): Promise<InviteWire[]> {
    const ids = invites
      .flatMap(({ createdBy, claimedBy }) => [createdBy, claimedBy])
      .filter((id) => id !== null);
    const users = new Map((await this.users.findMany(ids)).map((user) => [user.id, user]));
    return invites.map((invite) => mapInvite(invite, users, codeOf(invite)));
  }
}

/** `users` contains the creators and claimants that still exist. */
function mapInvite(
  invite: Invite,
  users: ReadonlyMap<number, Pick<User, "id" | "username">>,
  code: string,
): InviteWire {
  const person = (id: number | null) => {
    const user = id === null ? undefined : users.get(id);
    return user === undefined ? null : { id: user.id, username: user.username };
  };
  return {
    id: invite.id,
    code,
    status: invite.status,
    claimedBy: person(invite.claimedBy),
    workspaceIds: JSON.stringify(invite.workspaceIds),
    createdAt: invite.createdAt.toISOString(),
    // 0 means the developer API on this wire; deleted creators are reported the same way.
    createdBy: person(invite.createdBy) ?? 0,
    lastUpdatedAt: invite.updatedAt.toISOString(),
  };
}

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
