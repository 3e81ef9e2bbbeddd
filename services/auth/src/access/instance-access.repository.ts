import { CarrelError, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { InstanceAccess } from "./instance-access.entity.ts";

/**
 * Reading needs no right: this row is what rights are made from. Writing takes a scope with the
 * instance's rights.
 */
@Injectable()
export class InstanceAccessRepository {
  constructor(private readonly dataSource: DataSource) {}

  get(manager: EntityManager = this.dataSource.manager): Promise<InstanceAccess> {
    return manager.findOneByOrFail(InstanceAccess, { id: 1 });
  }

  /**
   * Locks the row until the transaction ends: changes of password and mode come one after the
   * other.
   */
  lock(manager: EntityManager): Promise<InstanceAccess> {
    return manager.findOneOrFail(InstanceAccess, {
      where: { id: 1 },
      lock: { mode: "pessimistic_write" },
    });
  }

  /** Sets or removes the password and voids every token. Call `lock` before. */
  async setPassword(
    scope: Scope,
    manager: EntityManager,
    passwordHash: string | null,
  ): Promise<void> {
    if (scope.principal.kind !== "instance")
      throw new CarrelError(
        "FORBIDDEN",
        "Only the session of the instance may change its password.",
      );
    await manager.increment(InstanceAccess, { id: 1 }, "epoch", 1);
    await manager.update(InstanceAccess, { id: 1 }, { passwordHash });
  }

  /** Switches to accounts for good; the instance password is void. Call `lock` before. */
  async enableMultiUser(
    scope: Scope,
    manager: EntityManager,
    firstAdminId: number,
    at: Date,
  ): Promise<void> {
    if (scope.principal.kind !== "instance")
      throw new CarrelError("FORBIDDEN", "Only the session of the instance may change its mode.");
    await manager.increment(InstanceAccess, { id: 1 }, "epoch", 1);
    await manager.update(
      InstanceAccess,
      { id: 1 },
      { mode: "multi", passwordHash: null, firstAdminId, multiUserSince: at },
    );
  }
}
