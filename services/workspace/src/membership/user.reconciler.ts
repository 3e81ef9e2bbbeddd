import { servicePrincipal, type Scope } from "@carrel/contracts";
import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type OnModuleDestroy } from "@nestjs/common";
import { UserDirectory } from "../user/user-directory.ts";
import { MemberRepository } from "../member/member.repository.ts";
import { Membership } from "./membership.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
/** Rounds of the reconciler, a minute each: a day. */
const roundsBetween = 1_440;
/**
 * After a start the other services come first; replicas that start together do not ask together.
 */
const firstRounds = (): number => 5 + Math.floor(Math.random() * 5);
const atOnce = 2_000;

/**
 * The daily comparison (docs/decisions/messaging.md) with auth: members and owners who are no users any more go,
 * as if their deletion
 * were told just now. It catches what Redis lost, and who was made a member in the moment of being
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

  /** Asking auth may take its time, and the other reconcilers do not wait for it. */
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
