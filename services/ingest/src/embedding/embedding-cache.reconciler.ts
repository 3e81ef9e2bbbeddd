import { Reconciler, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { EmbeddingCache } from "./embedding-cache.ts";

const dayMs = 24 * 3_600_000;
const keepDays = 60;

/** Deletes vectors that have not been used for `keepDays`, once a day. */
@Injectable()
export class EmbeddingCacheReconciler extends Reconciler {
  private lastDaily = 0;

  constructor(private readonly cache: EmbeddingCache) {
    super();
  }

  override async due(): Promise<OutboxMessage[]> {
    if (Date.now() - this.lastDaily >= dayMs) {
      this.lastDaily = Date.now();
      await this.cache.deleteUnused(keepDays);
    }
    return [];
  }
}
