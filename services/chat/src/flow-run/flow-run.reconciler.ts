import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { FlowRunRepository, turnMessage } from "./flow-run.repository.ts";

const purgeEveryMs = 10 * 60_000;
/** What is kept of each flow, and how long. */
const kept = { days: 30, perFlow: 200, batch: 500 };

/** Continues the runs of lost replicas, and deletes old ones. */
@Injectable()
export class FlowRunReconciler extends Reconciler {
  override readonly everyMs = 3_000;
  private lastPurge = 0;

  constructor(private readonly runs: FlowRunRepository) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    if (Date.now() - this.lastPurge > purgeEveryMs) {
      this.lastPurge = Date.now();
      while ((await this.runs.purge(kept)) === kept.batch);
    }
    return (await this.runs.takeDue()).map((turn) => turnMessage(turn));
  }
}
