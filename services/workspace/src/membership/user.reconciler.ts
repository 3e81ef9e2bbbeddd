import { servicePrincipal, type Scope } from "@carrel/contracts";
import { DailyReconciler, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { UserDirectory } from "../user/user-directory.ts";
import { UserReferenceRepository } from "./user-reference.repository.ts";
import { UserRemoval } from "./user-removal.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
/** Users per request to auth. */
const atOnce = 2_000;

/**
 * Compares the users named by this service's rows with auth once a day
 * (docs/decisions/messaging.md) and treats missing ones as deleted. Catches deletions lost in Redis
 * and users who were added just as they were deleted.
 */
@Injectable()
export class UserReconciler extends DailyReconciler implements OnModuleDestroy {
  private running: Promise<void> | null = null;
  private isStopped = false;

  constructor(
    private readonly references: UserReferenceRepository,
    private readonly users: UserDirectory,
    private readonly removal: UserRemoval,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  /**
   * Runs in the background, because a slow reply from auth must not hold up the other reconcilers.
   */
  override async due(): Promise<OutboxMessage[]> {
    if (this.isStopped) return [];
    this.running ??= super
      .due()
      .then(
        () => undefined,
        (error: unknown) =>
          this.logger.warn(
            { err: error },
            "users couldn't be compared with auth's, will be retried",
          ),
      )
      .finally(() => {
        this.running = null;
      });
    return [];
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  protected override async compare(): Promise<OutboxMessage[]> {
    let after = 0;
    while (!this.isStopped) {
      const ids = await this.references.listUserIds(serviceScope, after, atOnce);
      const users = await this.users.find(ids);
      for (const id of ids) if (!users.has(id)) await this.removal.remove(serviceScope, id);
      if (ids.length < atOnce) break;
      after = ids.at(-1)!;
    }
    return [];
  }
}
