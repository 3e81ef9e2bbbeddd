import { CarrelError, type Principal } from "@carrel/contracts";
import { Throttle } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";

const minute = 60_000;

/** Counts requests per minute of API keys that have a limit. */
@Injectable()
export class KeyRates {
  constructor(
    private readonly throttle: Throttle,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** TOO_MANY_ATTEMPTS with `retryAfter` in seconds once the limit is reached. */
  async count({ kind, keyId, requestsPerMinute: limit }: Principal): Promise<void> {
    if (kind !== "key" || keyId === undefined || limit === undefined) return;
    const bucket = { key: `api-key:${keyId}`, capacity: limit, refillMs: minute / limit };
    const wait = await this.throttle.take([bucket]).catch((error: unknown) => {
      // Requests continue without Redis if they can; budgets are counted in PostgreSQL.
      this.logger.warn({ err: error, keyId }, "could not count the requests of an API key");
      return 0;
    });
    if (wait > 0)
      throw new CarrelError(
        "access.key-rate-limited",
        { limit },
        { retryAfter: Math.ceil(wait / 1_000) },
      );
  }
}
