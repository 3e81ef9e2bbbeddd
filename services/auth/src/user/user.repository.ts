import { CarrelError, type Scope } from "@carrel/contracts";
import { Injectable, Module } from "@nestjs/common";
import { DataSource, In, QueryFailedError, type EntityManager } from "typeorm";
import { User } from "./user.entity.ts";

export type NewUser = Pick<User, "username" | "role"> &
  Partial<Omit<User, "id" | "createdAt" | "updatedAt">>;
export type UserChange = Partial<Omit<User, "id" | "createdAt" | "updatedAt">>;

const manages = (scope: Scope): boolean =>
  scope.principal.kind === "service" ||
  scope.principal.role === "admin" ||
  scope.principal.role === "manager";

/** Drops ids outside the column's range, for which PostgreSQL would reject a query. */
const possibleIds = (ids: readonly number[]): number[] =>
  [...new Set(ids)].filter((id) => id > 0 && id <= 2_147_483_647);

/**
 * Accounts. Reading one requires no rights, because rights are derived from these rows. Listing and
 * writing require a scope that manages users, or the user's own; what Carrel does for someone not
 * signed in yet runs as `servicePrincipal`.
 */
@Injectable()
export class UserRepository {
  constructor(private readonly dataSource: DataSource) {}

  findById(id: number, manager: EntityManager = this.dataSource.manager): Promise<User | null> {
    return manager.findOneBy(User, { id });
  }

  /** Locks the row until the transaction ends. */
  lock(manager: EntityManager, id: number): Promise<User | null> {
    return manager.findOne(User, { where: { id }, lock: { mode: "pessimistic_write" } });
  }

  findByUsername(
    username: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<User | null> {
    return manager.findOneBy(User, { username });
  }

  /** Addresses are stored in lower case. */
  findByEmail(
    email: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<User | null> {
    return manager.findOneBy(User, { email: email.toLowerCase() });
  }

  /** Returns the users with these ids that exist, oldest first. */
  findMany(
    ids: readonly number[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<User[]> {
    const possible = possibleIds(ids);
    return possible.length === 0
      ? Promise.resolve([])
      : manager.find(User, { where: { id: In(possible) }, order: { id: "ASC" } });
  }

  match(o: {
    emails: readonly string[];
    usernames: readonly string[];
  }): Promise<Pick<User, "id" | "email" | "username">[]> {
    return this.dataSource.query(
      `SELECT id, email, username FROM "user"
      WHERE email = ANY($1::text[]) OR username = ANY($2::text[])
      ORDER BY id`,
      [o.emails, o.usernames].map((names) => names.map((name) => name.toLowerCase())),
    );
  }

  /** Returns the ids that belong to a user. */
  async listExisting(ids: readonly number[]): Promise<number[]> {
    const rows = await this.dataSource.query<{ id: number }[]>(
      'SELECT id FROM "user" WHERE id = ANY($1::int[])',
      [possibleIds(ids)],
    );
    return rows.map((row) => row.id);
  }

  /** All users, oldest first. */
  async list(scope: Scope): Promise<User[]> {
    if (!manages(scope)) throw new CarrelError("access.forbidden");
    return this.dataSource.manager.find(User, { order: { id: "ASC" } });
  }

  /**
   * REFUSED if the name or address is taken; the transaction stays
   * usable. Waits for a concurrent transaction that takes the same name.
   */
  async create(scope: Scope, manager: EntityManager, values: NewUser): Promise<User> {
    if (!manages(scope)) throw new CarrelError("access.forbidden");
    const inserted = await manager
      .createQueryBuilder()
      .insert()
      .into(User)
      .values({ suspended: false, bio: "", seenRecoveryCodes: false, ...values })
      .orIgnore()
      .returning("id")
      .execute();
    const row = (inserted.raw as { id: number }[])[0];
    if (row !== undefined) return manager.findOneByOrFail(User, { id: row.id });
    throw new CarrelError(
      (await this.findByUsername(values.username, manager)) === null
        ? "user.email-taken"
        : "user.name-taken",
    );
  }

  /**
   * Returns the changed user, or null if it does not exist. CONFLICT if the name or address is
   * taken, which aborts the transaction.
   */
  async update(
    scope: Scope,
    manager: EntityManager,
    id: number,
    change: UserChange,
  ): Promise<User | null> {
    if (!manages(scope) && scope.principal.userId !== id) throw new CarrelError("access.forbidden");
    try {
      const result = await manager
        .createQueryBuilder()
        .update(User)
        .set({ ...change, updatedAt: () => "now()" })
        .where("id = :id", { id })
        .execute();
      return result.affected === 0 ? null : await manager.findOneBy(User, { id });
    } catch (error) {
      throw takenName(error) ?? error;
    }
  }

  /** Also deletes the user's sessions, codes, tokens and keys. False if the user does not exist. */
  async delete(scope: Scope, manager: EntityManager, id: number): Promise<boolean> {
    if (!manages(scope)) throw new CarrelError("access.forbidden");
    return (await manager.delete(User, { id })).affected === 1;
  }

  /**
   * Locks the active admins and returns their ids, so that two admins revoking each other's rights
   * are serialised. Call it before locking any other user.
   */
  async lockAdmins(manager: EntityManager): Promise<number[]> {
    const admins = await manager.find(User, {
      select: { id: true },
      where: { role: "admin", suspended: false },
      order: { id: "ASC" },
      lock: { mode: "pessimistic_write" },
    });
    return admins.map((admin) => admin.id);
  }
}

/** Returns the CarrelError for a violated unique constraint, or undefined for any other error. */
function takenName(error: unknown): CarrelError | undefined {
  if (!(error instanceof QueryFailedError)) return undefined;
  const { code, constraint } = error.driverError as { code?: string; constraint?: string };
  return code === "23505"
    ? new CarrelError(constraint === "user_email_key" ? "user.email-taken" : "user.name-taken")
    : undefined;
}

@Module({
  providers: [UserRepository],
  exports: [UserRepository],
})
export class UserModule {}
