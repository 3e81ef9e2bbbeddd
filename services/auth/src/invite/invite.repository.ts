import { CarrelError, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { SecretHasher } from "../secret/secret-hasher.ts";
import { Invite } from "./invite.entity.ts";

const requireManager = (scope: Scope): void => {
  if (scope.principal.role !== "admin" && scope.principal.role !== "manager")
    throw new CarrelError("access.forbidden");
};

/**
 * Invites. Anyone with the code may read and claim one; everything else requires a manager or an
 * admin.
 */
@Injectable()
export class InviteRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretHasher,
  ) {}

  /** Codes are upper case, but a link may have been typed by hand. */
  hash(code: string): string {
    return this.secrets.hash("invite", code.trim().toUpperCase());
  }

  findByHash(hash: string): Promise<Invite | null> {
    return this.dataSource.manager.findOneBy(Invite, { hash });
  }

  /**
   * Locks the row until the transaction ends: of two concurrent claims of the last use, the second
   * finds it claimed.
   */
  lockByHash(manager: EntityManager, hash: string): Promise<Invite | null> {
    return manager.findOne(Invite, { where: { hash }, lock: { mode: "pessimistic_write" } });
  }

  async claim(manager: EntityManager, id: number, userId: number): Promise<void> {
    await manager
      .createQueryBuilder()
      .update(Invite)
      .set({
        status: () => "CASE WHEN uses + 1 < max_uses THEN status ELSE 'claimed' END",
        sealedCode: () => "CASE WHEN uses + 1 < max_uses THEN sealed_code END",
        uses: () => "uses + 1",
        claimedBy: userId,
        updatedAt: () => "now()",
      })
      .where("id = :id", { id })
      .execute();
  }

  /** Oldest first. */
  async list(scope: Scope): Promise<Invite[]> {
    requireManager(scope);
    return this.dataSource.manager.find(Invite, { order: { id: "ASC" } });
  }

  async create(
    scope: Scope,
    manager: EntityManager,
    values: Pick<Invite, "hash" | "hint" | "sealedCode" | "workspaceIds"> &
      Partial<Pick<Invite, "label" | "role" | "maxUses" | "expiresAt">>,
  ): Promise<Invite> {
    requireManager(scope);
    const inserted = await manager.insert(Invite, {
      ...values,
      createdBy: scope.principal.userId,
      status: "pending",
    });
    return manager.findOneByOrFail(Invite, { id: (inserted.identifiers[0] as { id: number }).id });
  }

  async lock(scope: Scope, manager: EntityManager, id: number): Promise<Invite | null> {
    requireManager(scope);
    return manager.findOne(Invite, { where: { id }, lock: { mode: "pessimistic_write" } });
  }

  async disable(scope: Scope, manager: EntityManager, id: number): Promise<void> {
    requireManager(scope);
    await manager
      .createQueryBuilder()
      .update(Invite)
      .set({ status: "disabled", sealedCode: null, updatedAt: () => "now()" })
      .where("id = :id", { id })
      .execute();
  }
}
