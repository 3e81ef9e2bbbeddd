import { hash } from "node:crypto";
import type { InstanceConfig } from "@carrel/config";
import {
  acceptInvite,
  CarrelError,
  createInvite,
  disableInvite,
  getInvite,
  inviteAccepted,
  listInvites,
  servicePrincipal,
  type In,
  type InviteWire,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { eventMessage, Handle, keyed, Outbox, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLog } from "../event-log/event-log.ts";
import { PasswordHasher } from "../password/password-hasher.ts";
import { PasswordRules } from "../password/password-rules.ts";
import { hintOf } from "../secret/mask.ts";
import { randomCode, SecretHasher } from "../secret/secret-hasher.ts";
import { Attempts } from "../throttle/attempts.ts";
import { refuseUsername } from "../user/username.ts";
import { UserRepository } from "../user/user.repository.ts";
import { isPasswordLoginOff } from "../sign-in-token/simple-sso.ts";
import type { Invite } from "./invite.entity.ts";
import { mapInvite } from "./invite.mapper.ts";
import { InviteRepository } from "./invite.repository.ts";

type Acceptance = Out<typeof acceptInvite>;
const unusable = (): CarrelError => new CarrelError("invite.unusable");
/** Accepting an invite happens before sign-in, so Carrel itself creates the account. */
const own: Scope = { principal: servicePrincipal, workspace: null };

@Controller()
export class InviteHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly instance: InstanceAccessRepository,
    private readonly invites: InviteRepository,
    private readonly users: UserRepository,
    private readonly hasher: PasswordHasher,
    private readonly rules: PasswordRules,
    private readonly secrets: SecretHasher,
    private readonly attempts: Attempts,
    private readonly events: EventLog,
    private readonly outbox: Outbox,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  @Handle(getInvite)
  async get({ code }: In<typeof getInvite>): Promise<Out<typeof getInvite>> {
    const invite = await this.invites.findByHash(this.hash(code));
    if (invite === null) return { invite: null, error: "Invite not found." };
    if (invite.status !== "pending") return { invite: null, error: "Invite is no longer valid." };
    return { invite: { code, status: invite.status }, error: null };
  }

  /** Limits guesses by address. The password is hashed only for a valid code. */
  @Handle(acceptInvite)
  accept(input: In<typeof acceptInvite>, context: RequestContext): Promise<Acceptance> {
    this.requireLogin();
    const address = input.address ?? context.scope.address;
    return this.attempts.count({ kind: "token", address }, () =>
      this.acceptOnce(input, {
        ...context,
        scope: { ...context.scope, ...(address !== undefined && { address }) },
      }),
    );
  }

  @Handle(listInvites)
  async list(
    _input: In<typeof listInvites>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listInvites>> {
    const invites = await this.invites.list(scope);
    return { invites: await this.map(invites) };
  }

  @Handle(createInvite)
  async create(
    { workspaceIds }: In<typeof createInvite>,
    { scope }: RequestContext,
  ): Promise<Out<typeof createInvite>> {
    this.requireLogin();
    const code = randomCode();
    const invite = await this.dataSource.transaction(async (manager) => {
      const made = await this.invites.create(scope, manager, {
        hash: this.hash(code),
        hint: hintOf(code),
        workspaceIds: [...new Set(workspaceIds ?? [])],
      });
      await this.events.record(manager, scope, "invite_created", {
        inviteId: made.id,
        workspaceIds: made.workspaceIds,
      });
      return made;
    });
    const [shown] = await this.map([invite], code);
    return { invite: shown ?? null, error: null };
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

  private async acceptOnce(
    { code, username, password }: In<typeof acceptInvite>,
    context: RequestContext,
  ): Promise<Acceptance> {
    if ((await this.instance.get()).mode !== "multi") throw unusable();
    const inviteHash = this.hash(code);
    // On redelivery the invite is already claimed, and the stored result is returned.
    const invite = await this.invites.findByHash(inviteHash);
    if (invite === null || invite.status === "disabled") throw unusable();
    const refusal = refuseUsername(username) ?? this.rules.refuse(password);
    if (refusal !== null) throw refusal;
    const passwordHash = invite.status === "pending" ? await this.hasher.hash(password) : null;
    // Anonymous callers share one principal, so the same idempotency key chosen by two of them must
    // not merge their requests.
    const idempotencyKey = hash(
      "sha256",
      JSON.stringify([context.idempotencyKey, inviteHash, username]),
    );
    return keyed(this.dataSource, { ...context, idempotencyKey }, (manager) =>
      this.claim(manager, context.scope, inviteHash, username, passwordHash),
    );
  }

  private async claim(
    manager: EntityManager,
    scope: Scope,
    inviteHash: string,
    username: string,
    passwordHash: string | null,
  ): Promise<Acceptance> {
    const invite = await this.invites.lockByHash(manager, inviteHash);
    if (invite?.status !== "pending" || passwordHash === null) throw unusable();
    const user = await this.users.create(own, manager, {
      username,
      role: "default",
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

  /** With `code`, the reply contains it in full. */
  private async map(invites: readonly Invite[], code?: string): Promise<InviteWire[]> {
    const ids = invites
      .flatMap(({ createdBy, claimedBy }) => [createdBy, claimedBy])
      .filter((id) => id !== null);
    const users = new Map((await this.users.findMany(ids)).map((user) => [user.id, user]));
    return invites.map((invite) => mapInvite(invite, users, code));
  }

  /** An invite creates a password, so there are none where password login is disabled. */
  private requireLogin(): void {
    if (isPasswordLoginOff(this.config)) throw new CarrelError("sign-in.password-disabled");
  }

  /** Codes are upper case, but a link may have been typed by hand. */
  private hash(code: string): string {
    return this.secrets.hash("invite", code.trim().toUpperCase());
  }
}
