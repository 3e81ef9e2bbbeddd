import { randomBytes } from "node:crypto";
import type { InstanceConfig } from "@carrel/config";
import { CarrelError, servicePrincipal, type Role, type Scope } from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { DataSource, In, QueryFailedError, type EntityManager } from "typeorm";
import { AccessChanges } from "../access/instance-access.repository.ts";
import { EventLog } from "../event-log/event-log.ts";
import { SignInTokenRepository } from "../sign-in-token/sign-in-token.repository.ts";
import { User } from "../user/user.entity.ts";
import { UserRepository } from "../user/user.repository.ts";
import { Identity } from "./identity.entity.ts";
import { decideRole, numberedUsername, type OpenIdPerson } from "./openid-person.ts";

/** Concurrent first sign-ins may want the same name, address or identity; the loser retries. */
const tries = 5;
const numbersTried = 100;
/** The person signing in has no principal yet, so Carrel acts for them. */
const asCarrel: Scope = { principal: servicePrincipal, workspace: null };

/**
 * Finds the account of a person the provider has authenticated: already linked, linked now by a
 * verified address, or created.
 */
@Injectable()
export class OpenIdAccounts {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly tokens: SignInTokenRepository,
    private readonly events: EventLog,
    private readonly accessChanges: AccessChanges,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  /**
   * Returns a one-time token, valid for one minute, for the person's account. UNAUTHENTICATED
   * if they have no access.
   */
  async signIn(person: OpenIdPerson, by: Pick<Scope, "principal" | "address">): Promise<string> {
    const role = decideRole(person, this.config);
    if (role === "refused")
      throw new CarrelError("openid.role-refused", { provider: this.config.CARREL_OIDC_NAME });
    for (let left = tries; ; left -= 1) {
      try {
        const { token, changed } = await this.dataSource.transaction((manager) =>
          this.signInOnce(manager, person, role, by),
        );
        if (changed !== null) await this.accessChanges.announce(changed);
        return token;
      } catch (error) {
        if (left <= 1 || !isCollision(error)) throw error;
      }
    }
  }

  /**
   * The account that an earlier sign-in has linked; changes nothing. UNAUTHENTICATED if there is
   * none, or if a sign-in would be refused.
   */
  async find(person: Pick<OpenIdPerson, "issuer" | "subject" | "roleValues">): Promise<User> {
    const { issuer, subject } = person;
    const provider = this.config.CARREL_OIDC_NAME;
    if (decideRole(person, this.config) === "refused")
      throw new CarrelError("openid.role-refused", { provider });
    const identity = await this.dataSource.manager.findOneBy(Identity, { issuer, subject });
    const user = identity === null ? null : await this.users.findById(identity.userId);
    if (user === null) throw new CarrelError("openid.not-linked", { provider });
    if (user.suspended) throw new AccountRefusal("openid.account-suspended", user.id);
    return user;
  }

  private async signInOnce(
    manager: EntityManager,
    person: OpenIdPerson,
    role: Role | null,
    by: Pick<Scope, "principal" | "address">,
  ): Promise<{ token: string; changed: number | null }> {
    const { issuer, subject } = person;
    const identity = await manager.findOneBy(Identity, { issuer, subject });
    const byAddress =
      identity === null && person.email !== null
        ? await this.users.findByEmail(person.email, manager)
        : null;
    const id = identity?.userId ?? byAddress?.id;
    // Lock admins before any other user, as everywhere rights can be revoked.
    const admins = role === null || role === "admin" ? [] : await this.users.lockAdmins(manager);
    const known = id === undefined ? null : await this.users.lock(manager, id);
    if (known?.suspended === true) throw new AccountRefusal("openid.account-suspended", known.id);
    if (known !== null && identity === null) await this.link(manager, known, person, by);
    const account = known ?? (await this.signUp(manager, person, role ?? "default", by));
    const isLastAdmin = account.role === "admin" && admins.length === 1 && admins[0] === account.id;
    const isChanged = known !== null && role !== null && role !== known.role && !isLastAdmin;
    if (isChanged) {
      await this.users.update(asCarrel, manager, account.id, { role });
      await this.events.record(
        manager,
        by,
        "user_updated",
        {
          userId: account.id,
          username: account.username,
          changes: { role: { from: account.role, to: role } },
          by: "openid",
        },
        account.id,
      );
      await this.accessChanges.record(manager, account.id);
    }
    const token = await this.tokens.create(manager, account.id, "openid");
    return { token, changed: isChanged ? account.id : null };
  }

  private async link(
    manager: EntityManager,
    user: User,
    { issuer, subject }: OpenIdPerson,
    by: Pick<Scope, "principal" | "address">,
  ): Promise<void> {
    const linked = await manager.findBy(Identity, { issuer, userId: user.id });
    // A concurrent first sign-in of the same person has linked the account in the meantime.
    if (linked.some((identity) => identity.subject === subject)) return;
    // A reassigned address must not hand over the account of its previous owner.
    if (linked.length > 0) {
      throw new AccountRefusal("openid.address-of-another", user.id);
    }
    await manager.insert(Identity, { issuer, subject, userId: user.id });
    await this.events.record(
      manager,
      by,
      "user_updated",
      {
        userId: user.id,
        username: user.username,
        changes: { identity: { from: null, to: { issuer, subject } } },
        by: "openid",
      },
      user.id,
    );
  }

  private async signUp(
    manager: EntityManager,
    person: OpenIdPerson,
    role: Role,
    by: Pick<Scope, "principal" | "address">,
  ): Promise<User> {
    if (!this.config.CARREL_OIDC_SIGN_UP) throw new CarrelError("openid.no-account");
    const user = await this.create(manager, person, role);
    await manager.insert(Identity, {
      issuer: person.issuer,
      subject: person.subject,
      userId: user.id,
    });
    await this.events.record(
      manager,
      by,
      "user_created",
      { userId: user.id, username: user.username, role, by: "openid", issuer: person.issuer },
      user.id,
    );
    return user;
  }

  /**
   * Uses the best free name: with a number appended if all are taken, and a random one if many
   * people want the same name at once.
   */
  private async create(
    manager: EntityManager,
    { usernames, email }: OpenIdPerson,
    role: Role,
  ): Promise<User> {
    for (let left = tries; ; left -= 1) {
      const username =
        left === 1
          ? randomUsername(usernames[0]!)
          : await this.freeUsername(manager, usernames[0]!);
      try {
        // Without a password, recovery codes would have nothing to recover.
        return await this.users.create(asCarrel, manager, {
          username,
          role,
          email,
          passwordHash: null,
          seenRecoveryCodes: true,
        });
      } catch (error) {
        if (left === 1 || !(error instanceof CarrelError) || error.code !== "user.name-taken")
          throw error;
      }
    }
  }

  private async freeUsername(manager: EntityManager, base: string): Promise<string> {
    const wanted = Array.from({ length: numbersTried }, (_, index) =>
      numberedUsername(base, index + 1),
    );
    const taken = new Set(
      (
        await manager.find(User, { select: { username: true }, where: { username: In(wanted) } })
      ).map((user) => user.username),
    );
    return wanted.find((name) => !taken.has(name)) ?? randomUsername(base);
  }
}

/** A refused sign-in to an existing account. */
export class AccountRefusal extends CarrelError {
  constructor(
    code: "openid.account-suspended" | "openid.address-of-another",
    readonly userId: number,
  ) {
    super(code);
  }
}

const randomUsername = (base: string): string =>
  `${base.slice(0, 50)}-${randomBytes(6).toString("hex")}`;

const isCollision = (error: unknown): boolean =>
  (error instanceof CarrelError &&
    (error.code === "user.name-taken" || error.code === "user.email-taken")) ||
  (error instanceof QueryFailedError && (error.driverError as { code?: string }).code === "23505");
