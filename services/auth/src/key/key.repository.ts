import { CarrelError, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, IsNull, type EntityManager, type FindOptionsWhere } from "typeorm";
import { SecretHasher, hintOf, randomCode, type SecretPurpose } from "../secret/secret-hasher.ts";
import { ApiKey } from "./key.entity.ts";

/** Prefixes let people and secret scanners recognise a leaked key. */
export const keyPrefixes: Record<ApiKey["kind"], string> = {
  developer: "carrel-",
  extension: "brx-",
};
const purposes: Record<ApiKey["kind"], SecretPurpose> = {
  developer: "developer-key",
  extension: "extension-key",
};

/** Properties of a key that callers choose. */
export type KeyColumns = Partial<
  Pick<ApiKey, "name" | "scopes" | "workspaceIds" | "expiresAt" | "requestsPerMinute">
>;

/**
 * Keys. Admins and the instance session see and delete all; other accounts only their own extension
 * keys. The hash covers the whole secret as sent, including its prefix.
 */
@Injectable()
export class KeyRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretHasher,
  ) {}

  /** Oldest first. */
  list(scope: Scope, kind: ApiKey["kind"]): Promise<ApiKey[]> {
    return this.dataSource.manager.find(ApiKey, {
      where: this.visible(scope, kind),
      order: { id: "ASC" },
    });
  }

  /** Creates a key for the caller; returns the only copy of its secret. */
  async create(
    scope: Scope,
    manager: EntityManager,
    kind: ApiKey["kind"],
    columns: KeyColumns,
  ): Promise<{ key: ApiKey; secret: string }> {
    const secret = keyPrefixes[kind] + randomCode();
    const inserted = await manager.insert(ApiKey, {
      ...columns,
      kind,
      hash: this.secrets.hash(purposes[kind], secret),
      hint: hintOf(secret),
      userId: scope.principal.userId,
    });
    return {
      key: await manager.findOneByOrFail(ApiKey, {
        id: (inserted.identifiers[0] as { id: number }).id,
      }),
      secret,
    };
  }

  /** The key, locked until the transaction ends; null if the caller can't see such a key. */
  lock(
    scope: Scope,
    manager: EntityManager,
    kind: ApiKey["kind"],
    id: number,
  ): Promise<ApiKey | null> {
    return manager.findOne(ApiKey, {
      where: { ...this.visible(scope, kind), id },
      lock: { mode: "for_no_key_update" },
    });
  }

  /** Returns the deleted key, or null if the caller can't see such a key. */
  async delete(
    scope: Scope,
    manager: EntityManager,
    kind: ApiKey["kind"],
    id: number,
  ): Promise<ApiKey | null> {
    const key = await manager.findOneBy(ApiKey, { ...this.visible(scope, kind), id });
    return key !== null && (await manager.delete(ApiKey, { id })).affected === 1 ? key : null;
  }

  private visible(scope: Scope, kind: ApiKey["kind"]): FindOptionsWhere<ApiKey> {
    const { userId, role } = scope.principal;
    if (role === "admin") return { kind };
    if (kind === "developer") throw new CarrelError("access.forbidden");
    return { kind, userId: userId ?? IsNull() };
  }
}
