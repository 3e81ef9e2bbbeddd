import { CarrelError, type Scope } from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import type { IngestConfig } from "../ingest.config.ts";
import { ParsingRepository } from "./parsing.repository.ts";

/**
 * How often waiting documents are recounted, in ms; this process adds what it admits in between.
 */
const countEveryMs = 1_000;
/** Retry-After for a refused client, in seconds: long enough to parse a few hundred small files. */
const retryAfterSeconds = 5;

/**
 * Limits how many documents wait to be parsed. Beyond the limit, uploads are refused with BUSY so
 * that the client keeps them and retries.
 */
@Injectable()
export class IntakeLimit {
  private waiting = 0;
  private countedAt = -Infinity;
  private counting: Promise<void> | null = null;

  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    private readonly parsing: ParsingRepository,
  ) {}

  /**
   * Throws BUSY when the limit is reached; several replicas together may exceed it slightly for up
   * to a second. Counts over the caller's connection, because callers that each held one connection
   * while waiting for another would deadlock.
   */
  async admit(scope: Scope, manager: EntityManager): Promise<void> {
    const most = this.config.CARREL_INGEST_WAITING;
    if (performance.now() - this.countedAt >= countEveryMs)
      await (this.counting ??= this.count(scope, manager, most).finally(() => {
        this.counting = null;
      }));
    if (this.waiting >= most)
      throw new CarrelError("document.queue-full", {}, { retryAfter: retryAfterSeconds });
    this.waiting++;
  }

  private async count(scope: Scope, manager: EntityManager, most: number): Promise<void> {
    this.waiting = await this.parsing.countWaiting(scope, manager, most);
    this.countedAt = performance.now();
  }
}
