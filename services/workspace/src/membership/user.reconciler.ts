import { servicePrincipal, type Scope } from "@carrel/contracts";
import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { UserDirectory } from "../user/user-directory.ts";
import { MemberRepository } from "../member/member.repository.ts";
import { Membership } from "./membership.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
/** Rounds between comparisons, at one per minute: once a day. */
const roundsBetween = 1_440;
/**
 * Gives the other services time to start, with jitter so that replicas starting together don't run
 * together.
 */
const firstRounds = (): number => 5 + Math.floor(Math.random() * 5);
const atOnce = 2_000;

/**
 * Compares members and owners with auth once a day (docs/decisions/messaging.md) and treats missing
 * users as deleted. Catches deletions lost in Redis and users who were added just as they were
 * deleted.
 */
@Injectable()
export class UserReconciler extends Reconciler implements OnModuleDestroy {
  private roundsLeft = firstRounds();
  private running: Promise<void> | null = null;
  private isStopped = false;

  constructor(
    private readonly members: MemberRepository,
    private readonly users: UserDirectory,
    private readonly membership: Membership,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super();
  }

  /**
   * Runs in the background, because a slow reply from auth must not hold up the other reconcilers.
   */
  override async due(): Promise<OutboxMessage[]> {
    if (this.roundsLeft-- > 0 || this.isStopped) return [];
    this.running ??= this.compare()
      .then(
        () => {
          this.roundsLeft = roundsBetween;
        },
        (error: unknown) =>
          this.logger.warn(
            { err: error },
            "members could not be compared with users, trying again later",
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

  private async compare(): Promise<void> {
    let after = 0;
    while (!this.isStopped) {
      const ids = await this.members.listUserIds(serviceScope, after, atOnce);
      const users = await this.users.find(ids);
      for (const id of ids) if (!users.has(id)) await this.membership.forget(serviceScope, id);
      if (ids.length < atOnce) return;
      after = ids.at(-1)!;
    }
  }
}
