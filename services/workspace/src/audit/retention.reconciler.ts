import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { EventPruner } from "../event/event-pruner.ts";
import { EventRetention } from "./event-retention.ts";

const dayMs = 86_400_000;

/** Removes days that are older than the retention, once per day and when it is shortened. */
@Injectable()
export class RetentionReconciler extends Reconciler {
  /** Midnight before which everything was removed. */
  private prunedBefore = 0;

  constructor(
    private readonly retention: EventRetention,
    private readonly pruner: EventPruner,
  ) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    const days = await this.retention.days();
    if (days === null) return [];
    const cutoff = (Math.floor(Date.now() / dayMs) - days) * dayMs;
    if (cutoff <= this.prunedBefore) return [];
    await this.pruner.prune(new Date(cutoff));
    this.prunedBefore = cutoff;
    return [];
  }
}
