import { CarrelError, accessChanged, type Scope } from "@carrel/contracts";
import { Broadcast, Outbox, eventMessage } from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { InstanceAccess } from "./instance-access.entity.ts";

/**
 * Invalidates cached principals: one user's plus all developer keys, which carry no user, or
 * everyone's if no user is given.
 */
@Injectable()
export class AccessChanges {
  constructor(
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
  ) {}

  /** Call inside the transaction that changes access, so the invalidation cannot be lost. */
  async record(manager: EntityManager, userId?: number): Promise<void> {
    await this.outbox.add(manager, eventMessage(accessChanged, { userId }));
  }

  /** Call after the commit and before the reply, so the change takes effect immediately. */
  async announce(userId?: number): Promise<void> {
    await this.broadcast.invalidate(accessChanged, { userId });
  }
}

/**
 * Reading requires no rights, because rights are derived from this row. Writing requires a scope
 * with the instance's rights.
 */
@Injectable()
export class InstanceAccessRepository {
  constructor(private readonly dataSource: DataSource) {}

  get(manager: EntityManager = this.dataSource.manager): Promise<InstanceAccess> {
    return manager.findOneByOrFail(InstanceAccess, { id: 1 });
  }

  /** Locks the row until the transaction ends, so changes of password and mode are serialised. */
  lock(manager: EntityManager): Promise<InstanceAccess> {
    return manager.findOneOrFail(InstanceAccess, {
      where: { id: 1 },
      lock: { mode: "pessimistic_write" },
    });
  }

  /** Sets or removes the password and invalidates every token. Call `lock` first. */
  async setPassword(
    scope: Scope,
    manager: EntityManager,
    passwordHash: string | null,
  ): Promise<void> {
    if (scope.principal.kind !== "instance") throw new CarrelError("access.forbidden");
    await manager.increment(InstanceAccess, { id: 1 }, "epoch", 1);
    await manager.update(InstanceAccess, { id: 1 }, { passwordHash });
  }

  /** Permanently enables user accounts and invalidates the instance password. Call `lock` first. */
  async enableMultiUser(
    scope: Scope,
    manager: EntityManager,
    firstAdminId: number,
    at: Date,
  ): Promise<void> {
    if (scope.principal.kind !== "instance") throw new CarrelError("access.forbidden");
    await manager.increment(InstanceAccess, { id: 1 }, "epoch", 1);
    await manager.update(
      InstanceAccess,
      { id: 1 },
      { mode: "multi", passwordHash: null, firstAdminId, multiUserSince: at },
    );
  }
}

@Module({
  providers: [AccessChanges, InstanceAccessRepository],
  exports: [AccessChanges, InstanceAccessRepository],
})
export class AccessModule {}
