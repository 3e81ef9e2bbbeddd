import {
  CarrelError,
  createUser,
  deleteUser,
  findMissingUsers,
  findUsers,
  isRecentlyProven,
  listUsers,
  matchUsers,
  removeUserSecondFactor,
  updateUser,
  userDeleted,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, Outbox, eventMessage, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { AccessChanges } from "../access/instance-access.repository.ts";
import { Credentials } from "../credential/credentials.ts";
import { EventLog } from "../event-log/event-log.ts";
import { NewPasswords } from "../password/password-rules.ts";
import {
  describeChange,
  isLastAdmin,
  mapUser,
  planUserChange,
  refuseManaging,
} from "../user/user-fields.ts";
import type { User } from "../user/user.entity.ts";
import { UserRepository, type UserChange } from "../user/user.repository.ts";

type Outcome = Out<typeof updateUser>;
const done: Outcome = { success: true, error: null };

/** User management. Its routes report refusals with status 200 (wire-contract 7). */
@Controller()
export class UserHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserRepository,
    private readonly accessChanges: AccessChanges,
    private readonly credentials: Credentials,
    private readonly passwords: NewPasswords,
    private readonly events: EventLog,
    private readonly outbox: Outbox,
  ) {}

  @Handle(listUsers)
  async list(
    _input: In<typeof listUsers>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listUsers>> {
    return { users: (await this.users.list(scope)).map(mapUser) };
  }

  @Handle(findUsers)
  async findMany({ ids, withBio }: In<typeof findUsers>): Promise<Out<typeof findUsers>> {
    return {
      users: (await this.users.findMany(ids)).map(({ dailyMessageLimit, bio, ...user }) => ({
        id: user.id,
        username: user.username,
        role: user.role,
        suspended: user.suspended,
        dailyMessageLimit,
        language: user.language,
        ...(withBio === true && { bio }),
      })),
    };
  }

  @Handle(matchUsers)
  async match(input: In<typeof matchUsers>): Promise<Out<typeof matchUsers>> {
    return { users: await this.users.match(input) };
  }

  @Handle(findMissingUsers)
  async findMissing({ ids }: In<typeof findMissingUsers>): Promise<Out<typeof findMissingUsers>> {
    const existing = new Set(await this.users.listExisting(ids));
    return { ids: ids.filter((id) => !existing.has(id)) };
  }

  @Handle(createUser)
  async create(
    input: In<typeof createUser>,
    context: RequestContext,
  ): Promise<Out<typeof createUser>> {
    const { scope } = context;
    const { username, role, ...columns } = planUserChange(
      scope.principal,
      { ...input, username: input.username ?? "", role: input.role ?? "default" },
      null,
    );
    // An empty name keeps the current one elsewhere, but a new user has none.
    if (username === undefined || role === undefined)
      throw new CarrelError("user.name-too-short", { limit: 2 });
    const password = input.password ?? "";
    this.passwords.check(password);
    const passwordHash = await this.passwords.hash(password);
    return keyed(this.dataSource, context, async (manager) => {
      const user = await this.users.create(scope, manager, {
        ...columns,
        username,
        role,
        passwordHash,
      });
      await this.events.record(manager, scope, "user_created", { userId: user.id, username, role });
      return { user: mapUser(user), error: null };
    });
  }

  @Handle(updateUser)
  async update(
    { id, password, currentPassword, code, ...fields }: In<typeof updateUser>,
    { scope }: RequestContext,
  ): Promise<Outcome> {
    const newPassword = password ?? "";
    const target = await this.users.findById(id);
    if (target === null) throw noUser();
    this.check(scope, target, fields, newPassword);
    // One's own password needs the same proof as in the profile.
    if (newPassword !== "" && scope.principal.userId === id)
      await this.passwords.confirmOwner(scope, { password: currentPassword, code });
    else if (newPassword !== "" || changesAccess(scope, target, fields)) requireProof(scope);
    const passwordHash = newPassword === "" ? null : await this.passwords.hash(newPassword);
    const applied = await this.dataSource.transaction((manager) =>
      this.apply(manager, scope, id, fields, passwordHash),
    );
    if (applied.voids) await this.accessChanges.announce(id);
    return done;
  }

  @Handle(deleteUser)
  async delete(
    { id }: In<typeof deleteUser>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteUser>> {
    const deleted = await this.dataSource.transaction(async (manager) => {
      const { target, admins } = await this.lock(manager, id);
      if (target === null) throw new CarrelError("user.unknown");
      const untouchable = refuseManaging(scope.principal, target);
      if (untouchable !== null) throw untouchable;
      if (isLastAdmin(admins, target)) throw noAdminLeft();
      if (scope.principal.userId === id) throw new CarrelError("user.delete-self");
      await this.users.delete(scope, manager, id);
      await this.events.record(manager, scope, "user_deleted", {
        userId: id,
        username: target.username,
        role: target.role,
      });
      await this.outbox.add(manager, eventMessage(userDeleted, { userId: id }));
      await this.accessChanges.record(manager, id);
      return target;
    });
    await this.accessChanges.announce(id);
    return { ...done, pictureKey: deleted.pictureKey };
  }

  /** Users cannot remove their own here: the account route does that, and asks for the password. */
  @Handle(removeUserSecondFactor)
  async removeSecondFactor(
    { id }: In<typeof removeUserSecondFactor>,
    { scope }: RequestContext,
  ): Promise<Outcome> {
    await this.dataSource.transaction(async (manager) => {
      const target = await this.users.lock(manager, id);
      if (target === null) throw noUser();
      const untouchable = refuseManaging(scope.principal, target);
      if (untouchable !== null) throw untouchable;
      if (scope.principal.userId === id) throw new CarrelError("user.second-factor-own");
      if (target.secondFactorSealed === null) return;
      await this.users.update(scope, manager, id, {
        secondFactorSealed: null,
        secondFactorSince: null,
        secondFactorStep: null,
      });
      await this.events.record(manager, scope, "second_factor_disabled", {
        userId: id,
        username: target.username,
      });
    });
    return done;
  }

  /**
   * Checks that need no password hash; repeated in the transaction against the current row.
   */
  private check(scope: Scope, target: User, fields: UserFields, newPassword: string): void {
    const untouchable = refuseManaging(scope.principal, target);
    if (untouchable !== null) throw untouchable;
    const change = planUserChange(scope.principal, fields, target);
    if (newPassword !== "") this.passwords.check(newPassword);
    if (newPassword === "" && Object.keys(change).length === 0)
      throw new CarrelError("user.no-valid-updates");
  }

  private async apply(
    manager: EntityManager,
    scope: Scope,
    id: number,
    fields: UserFields,
    passwordHash: string | null,
  ): Promise<Applied> {
    const { target, admins } = await this.lock(manager, id);
    if (target === null) throw noUser();
    const untouchable = refuseManaging(scope.principal, target);
    if (untouchable !== null) throw untouchable;
    const planned = planUserChange(scope.principal, fields, target);
    const change: UserChange = { ...planned, ...(passwordHash !== null && { passwordHash }) };
    const isDemoted = change.role !== undefined && change.role !== "admin";
    const isSuspended = change.suspended === true && !target.suspended;
    if ((isDemoted || isSuspended) && isLastAdmin(admins, target)) throw noAdminLeft();
    const own = scope.principal.userId === id;
    if (isSuspended && own) throw new CarrelError("user.suspend-self");
    if (passwordHash !== null && !own) change.seenRecoveryCodes = false;
    await this.users.update(scope, manager, id, change);
    return this.follow(manager, scope, target, change);
  }

  /** Revokes access and records events after a change was written. */
  private async follow(
    manager: EntityManager,
    scope: Scope,
    before: User,
    change: UserChange,
  ): Promise<Applied> {
    const [id, own] = [before.id, scope.principal.userId === before.id];
    const isReset = change.passwordHash !== undefined;
    const isSuspended = change.suspended === true && !before.suspended;
    const endsAll = isSuspended || (isReset && !own);
    if (endsAll) await this.credentials.revokeAll(manager, id);
    else if (isReset) await this.credentials.revokeOthers(manager, id, scope.principal.sessionId);
    if (isReset && !own) await this.credentials.deleteRecoveryCodes(manager, id);

    const changes = describeChange(before, change);
    if (isReset)
      await this.events.record(manager, scope, own ? "password_changed" : "password_reset", {
        userId: id,
        username: before.username,
      });
    if (isSuspended)
      await this.events.record(manager, scope, "user_suspended", {
        userId: id,
        username: before.username,
      });
    if (Object.keys(changes).length > 0)
      await this.events.record(manager, scope, "user_updated", {
        userId: id,
        username: before.username,
        changes,
      });

    const says =
      isReset || ["role", "suspended", "dailyMessageLimit"].some((key) => key in changes);
    if (says) await this.accessChanges.record(manager, id);
    return { voids: says };
  }

  /**
   * Locks the user and the admins, in the same order everywhere so that concurrent changes cannot
   * deadlock.
   */
  private async lock(
    manager: EntityManager,
    id: number,
  ): Promise<{ target: User | null; admins: number[] }> {
    const admins = await this.users.lockAdmins(manager);
    return { target: await this.users.lock(manager, id), admins };
  }
}

/** The fields that an update changes, except the password. */
type UserFields = Omit<In<typeof updateUser>, "id" | "password" | "currentPassword" | "code">;
interface Applied {
  /** Whether cached principals of the user are invalid. */
  voids: boolean;
}

/**
 * Whether the change decides who can sign in, as whom, and with which rights: an e-mail address
 * links an account to an OpenID identity.
 */
function changesAccess(scope: Scope, target: User, fields: UserFields): boolean {
  const changes = describeChange(target, planUserChange(scope.principal, fields, target));
  return Object.keys(changes).some((key) => key !== "dailyMessageLimit");
}

function requireProof({ principal }: Scope): void {
  if (!isRecentlyProven(principal)) throw new CarrelError("access.proof-due");
}

const noUser = (): CarrelError => new CarrelError("user.not-found");
const noAdminLeft = (): CarrelError => new CarrelError("user.last-admin");
