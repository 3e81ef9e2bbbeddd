import { randomUUID } from "node:crypto";
import { CarrelError, developerKeyOf, type Scope } from "@carrel/contracts";
import { Throttle } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { isFreeProvider, noTokens, type TokenCount } from "@carrel/providers";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { SettingsCache, readPrices } from "../setting/settings-cache.ts";
import {
  UsageRepository,
  describeUse,
  noMedia,
  totalCost,
  type MediaUse,
  type UsageRecord,
} from "../usage/usage-record.ts";
import { BudgetAnnouncer } from "./budget-announcer.ts";
import { Budgets } from "./budgets.ts";

/** Per person and purpose: this many at once, and one more after each pause. */
const burst = 30;
const pauseMs = 2_000;

/** A call of a model that speaks or listens. */
export interface MediaCall {
  /** Add what was used to this. */
  readonly used: MediaUse;
  tokens: TokenCount;
  /** Records what was used, if anything. Never throws. */
  end(state: UsageRecord["state"]): Promise<void>;
}

/** Limits and records calls of models that speak or listen. */
@Injectable()
export class MediaCalls {
  constructor(
    private readonly throttle: Throttle,
    private readonly budgets: Budgets,
    private readonly announcer: BudgetAnnouncer,
    private readonly settings: SettingsCache,
    private readonly usage: UsageRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Throws CarrelError above the rate limit or a budget. `expected` is the least it will use. */
  async begin(
    scope: Scope,
    purpose: "speech" | "dictation",
    {
      provider,
      model,
      expected = {},
    }: { provider: string; model: string; expected?: Partial<MediaUse> },
  ): Promise<MediaCall> {
    await this.limit(scope, purpose);
    const callId = randomUUID();
    const findPrice = readPrices((await this.settings.getInstance()).values);
    const price = findPrice(provider, model);
    const micros = price === null ? null : totalCost(price, noTokens, { ...noMedia, ...expected });
    await this.budgets.admitCall(callId, scope, {
      tokens: 0,
      micros: micros ?? 0,
      isFree: isFreeProvider(provider),
    });
    const began = performance.now();
    const call: MediaCall = {
      used: { ...noMedia },
      tokens: noTokens,
      end: async (state) => {
        const { used: media, tokens } = call;
        const isUsed = Object.values(media).some((amount) => amount > 0);
        try {
          if (isUsed)
            await this.usage.record(
              {
                turnId: null,
                threadId: null,
                workspaceId: scope.workspace?.id ?? null,
                userId: scope.principal.userId,
              },
              describeUse({
                ...{ purpose, state, provider, model, findPrice, tokens, media },
                principal: scope.principal,
                firstTokenMs: null,
                milliseconds: performance.now() - began,
              }),
            );
          await this.budgets.release(callId);
          if (isUsed) this.announcer.noteUse();
        } catch (error) {
          this.logger.warn({ err: error, purpose }, "couldn't record what a model used");
        }
      },
    };
    return call;
  }

  private async limit({ principal }: Scope, purpose: string): Promise<void> {
    const key = developerKeyOf(principal);
    const who = key === null ? `user:${principal.userId ?? "instance"}` : `key:${key}`;
    const wait = await this.throttle
      .take([{ key: `${purpose}:${who}`, capacity: burst, refillMs: pauseMs }])
      // Without Redis, budgets still limit it.
      .catch(() => 0);
    if (wait === 0) return;
    const seconds = Math.ceil(wait / 1000);
    throw new CarrelError(
      "access.too-many-attempts",
      { seconds, wait: seconds === 1 ? "a second" : `${seconds} seconds` },
      { retryAfter: seconds },
    );
  }
}
