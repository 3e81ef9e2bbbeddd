import { servicePrincipal, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { signedForm, type Checkpoint } from "../event-chain/export-record.ts";
import { ChainRepository, ChainVerification, type ChainHead } from "./chain.repository.ts";
import { EventLog, requireAdmin } from "./event.repository.ts";
import { SigningKeys } from "./signing-keys.ts";

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/**
 * Removes the beginning of the log, under a signed checkpoint from which the rest still verifies.
 * The removal is itself an event.
 */
@Injectable()
export class EventPruner {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chain: ChainRepository,
    private readonly verification: ChainVerification,
    private readonly keys: SigningKeys,
    private readonly log: EventLog,
  ) {}

  /** Removes everything, whether it verifies or not; `scope` is who cleared it. */
  async clear(scope: Scope): Promise<void> {
    requireAdmin(scope);
    await this.dataSource.transaction(async (manager) => {
      await this.chain.lockPruning(serviceScope, manager);
      const head = await this.chain.head(serviceScope, manager);
      const pruned = await this.prunedUpTo(manager);
      const removed =
        head.sequence > pruned ? await this.removeUpTo(manager, head, pruned + 1, "cleared") : 0;
      await this.log.record(manager, scope, "event_logs_cleared", { removed });
    });
  }

  /**
   * Removes whole days before `cutoff`, up to the first younger entry. Entries that don't verify
   * aren't removed, because they are evidence.
   */
  async prune(cutoff: Date): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.chain.lockPruning(serviceScope, manager);
      const last = await this.chain.lastBefore(serviceScope, manager, cutoff);
      const pruned = await this.prunedUpTo(manager);
      if (last <= pruned) return;
      const { instance } = await this.chain.head(serviceScope, manager);
      const { verifier, fault } = await this.verification.verify(manager, instance, last);
      if (fault !== null) {
        const { sequence, message } = fault;
        await this.log.record(manager, serviceScope, "event_log_damaged", {
          sequence,
          reason: message,
        });
        return;
      }
      const removed = await this.removeUpTo(
        manager,
        { instance, ...verifier.head },
        pruned + 1,
        "retention",
      );
      await this.log.record(manager, serviceScope, "event_logs_pruned", {
        removed,
        before: cutoff.toISOString(),
      });
    });
  }

  private async prunedUpTo(manager: EntityManager): Promise<number> {
    return (await this.chain.checkpoints(serviceScope, manager)).at(-1)?.sequence ?? 0;
  }

  private async removeUpTo(
    manager: EntityManager,
    { instance, sequence, hash }: ChainHead,
    fromSequence: number,
    reason: Checkpoint["reason"],
  ): Promise<number> {
    const unsigned = {
      type: "checkpoint" as const,
      reason,
      fromSequence,
      sequence,
      hash,
      signedAt: new Date().toISOString(),
    };
    const signature = await this.keys.sign(serviceScope, manager, signedForm(instance, unsigned));
    await this.chain.addCheckpoint(serviceScope, manager, { ...unsigned, ...signature });
    return this.chain.removeUpTo(serviceScope, manager, sequence);
  }
}
