import { CarrelError, type Scope } from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import type { IngestConfig } from "../ingest.config.ts";
import { ParsingRepository } from "./parsing.repository.ts";

/** The count is taken anew this often, ms; what this process admits in between is added to it. */
const countEveryMs = 1_000;
/**
 * Seconds after which a refused client may ask again: enough for some hundred small files to be
 * read.
 */
const retryAfterSeconds = 5;

/**
 * Bounds how many documents wait to be read. More are refused honestly, so that who sends them
 * keeps them and comes again.
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
   * Throws BUSY when as many documents wait as may. Several replicas together may admit some more
   * within a second. Asks over the
   * caller's connection: many that hold one and want another would wait for each other.
   */
  async admit(scope: Scope, manager: EntityManager): Promise<void> {
    const most = this.config.CARREL_INGEST_WAITING;
    if (performance.now() - this.countedAt >= countEveryMs)
      await (this.counting ??= this.count(scope, manager, most).finally(() => {
        this.counting = null;
      }));
    if (this.waiting >= most)
      throw new CarrelError(
        "BUSY",
        "Very many documents are waiting to be read. Try again in a moment.",
        { details: { retryAfter: retryAfterSeconds } },
      );
    this.waiting++;
  }

  private async count(scope: Scope, manager: EntityManager, most: number): Promise<void> {
    this.waiting = await this.parsing.countWaiting(scope, manager, most);
    this.countedAt = performance.now();
  }
}
