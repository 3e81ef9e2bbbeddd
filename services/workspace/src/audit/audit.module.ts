import {
  eventRetentionLabel,
  getEventLogState,
  longestEventRetention,
  servicePrincipal,
  verifyEvents,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, Reconciler, type OutboxMessage, type RequestContext } from "@carrel/messaging";
import { Controller, Injectable, Module, type OnApplicationBootstrap } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { z } from "zod";
import type { ChainVerifier } from "../event-chain/chain-verifier.ts";
import { ChainFault, signedForm, type Anchor } from "../event-chain/export-record.ts";
import { groupBySignature, OutsideAnchors, refuseUnknown } from "../event-chain/outside-anchors.ts";
import { ChainRepository, ChainVerification, type ChainHead } from "../event/chain.repository.ts";
import { EventPruner } from "../event/event-pruner.ts";
import { EventModule } from "../event/event.module.ts";
import { EventRepository } from "../event/event.repository.ts";
import { SigningKeys } from "../event/signing-keys.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { PreferenceRepository } from "../preference/preference.repository.ts";
import { UserDirectory, UserModule } from "../user/user-directory.ts";
import { AnchorFile, ChainExportHandler } from "./chain-export.handler.ts";

const kept = z.number().int().min(1).max(longestEventRetention);

/** How long entries of the event log are kept. */
@Injectable()
class EventRetention {
  constructor(private readonly preferences: PreferenceRepository) {}

  /** Retention in days; null: until somebody clears the log. */
  async days(): Promise<number | null> {
    const value = await this.preferences.find(
      { principal: servicePrincipal, workspace: null },
      eventRetentionLabel,
    );
    return kept.safeParse(value).data ?? null;
  }
}

type Verification = Out<typeof verifyEvents>;

/** A page names no more days than this. */
const mostDays = 100;

@Controller()
class EventStateHandler {
  constructor(
    private readonly chain: ChainRepository,
    private readonly verification: ChainVerification,
    private readonly events: EventRepository,
    private readonly keys: SigningKeys,
    private readonly retention: EventRetention,
    private readonly users: UserDirectory,
    private readonly file: AnchorFile,
  ) {}

  @Handle(getEventLogState)
  async state(_input: unknown, { scope }: RequestContext): Promise<Out<typeof getEventLogState>> {
    const { events, userIds } = await this.events.listFilters(scope);
    const [users, retentionDays, chain] = await Promise.all([
      this.users.find(userIds),
      this.retention.days(),
      this.chain.snapshot(scope, async (manager) => ({
        ...(await this.chain.head(scope, manager)),
        keys: await this.keys.list(scope, manager),
        lastAnchor: await this.chain.lastAnchor(scope, manager),
        checkpoint: (await this.chain.checkpoints(scope, manager)).at(-1) ?? null,
      })),
    ]);
    return {
      ...chain,
      retentionDays,
      events,
      users: [...users.values()].map(({ id, username }) => ({ id, username })),
    };
  }

  @Handle(verifyEvents)
  verify(_input: unknown, { scope }: RequestContext): Promise<Verification> {
    return this.chain.snapshot(scope, async (manager) => {
      const head = await this.chain.head(scope, manager);
      const { signed, unknown } = groupBySignature(
        head.instance,
        await this.keys.list(scope, manager),
        await this.file.read(),
      );
      const outside = new OutsideAnchors(signed, "The data folder's copy");
      const { verifier, fault } = await this.verification.verify(
        manager,
        head.instance,
        head.sequence,
        outside,
      );
      const { report } = verifier;
      const found =
        fault ??
        (await this.findOther(scope, manager, verifier.head, head)) ??
        findUnanchored(verifier, outside, unknown);
      return {
        verified: found === null,
        events: report.events,
        anchors: report.anchors,
        checkpoints: report.checkpoints,
        first: report.first,
        last: report.last,
        lastAnchor: report.lastAnchor,
        unknownAnchors: {
          count: unknown.length,
          days: [...new Set(unknown.map(({ day }) => day))].toSorted().slice(0, mostDays),
        },
        fault: found && { code: found.code, sequence: found.sequence, reason: found.message },
      };
    });
  }

  /** Faults that only the database can have. */
  private async findOther(
    scope: Scope,
    manager: EntityManager,
    verified: Pick<ChainHead, "sequence" | "hash">,
    head: ChainHead,
  ): Promise<ChainFault | null> {
    if (verified.sequence !== head.sequence || verified.hash !== head.hash)
      return new ChainFault(
        "tail",
        verified.sequence + 1,
        `The log ends at entry ${verified.sequence} instead of ${head.sequence}`,
      );
    return (await this.chain.hasEventsBeyond(scope, manager, head.sequence))
      ? new ChainFault("unchained", null, "Some entries aren't part of the chain")
      : null;
  }
}

/** Anchors that are missing in the database, or were signed for entries or by keys that are. */
function findUnanchored(
  verifier: ChainVerifier,
  outside: OutsideAnchors,
  unknown: readonly Anchor[],
): ChainFault | null {
  const { sequence } = verifier.head;
  const signedAt = new Date().toISOString();
  try {
    verifier.addNow(signedAt);
    outside.finish({ sequence, signedAt });
    refuseUnknown(unknown, "The data folder's copies");
    return null;
  } catch (fault) {
    if (fault instanceof ChainFault) return fault;
    throw fault;
  }
}

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };

/** Signs the newest entry once a day (UTC), as soon as the day begins or Carrel starts. */
@Injectable()
export class AnchorReconciler extends Reconciler implements OnApplicationBootstrap {
  private anchoredDay = "";

  constructor(
    private readonly dataSource: DataSource,
    private readonly chain: ChainRepository,
    private readonly keys: SigningKeys,
    private readonly file: AnchorFile,
  ) {
    super();
  }

  /** Runs before any event is stored, so that each day with entries has an anchor. */
  async onApplicationBootstrap(): Promise<void> {
    await this.due();
  }

  override async due(): Promise<OutboxMessage[]> {
    const now = new Date().toISOString();
    const day = now.slice(0, 10);
    if (day !== this.anchoredDay) await this.anchor(day, now);
    this.anchoredDay = day;
    return [];
  }

  /** Done by one replica: the others find the day anchored. */
  private async anchor(today: string, signedAt: string): Promise<void> {
    const added = await this.dataSource.transaction(async (manager) => {
      const last = await this.chain.lastAnchor(serviceScope, manager);
      if (last !== null && last.day >= today) return [];
      const { instance, sequence, hash } = await this.chain.head(serviceScope, manager);
      const left = last && (await this.chain.lastDayAfter(serviceScope, manager, last));
      // Carrel stopped right after the first entries of a day, which had no anchor yet.
      const days = left !== null && left < today ? [left, today] : [today];
      const anchors: Anchor[] = [];
      for (const day of days) {
        const unsigned = { type: "anchor" as const, day, sequence, hash, signedAt };
        const text = signedForm(instance, unsigned);
        const anchor = { ...unsigned, ...(await this.keys.sign(serviceScope, manager, text)) };
        if (await this.chain.addAnchor(serviceScope, manager, anchor)) anchors.push(anchor);
      }
      return anchors;
    });
    for (const anchor of added) await this.file.append(anchor);
  }
}

const dayMs = 86_400_000;

/** Removes days that are older than the retention, once per day and when it is shortened. */
@Injectable()
class RetentionReconciler extends Reconciler {
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

@Module({
  imports: [EventModule, PreferenceModule, UserModule],
  controllers: [ChainExportHandler, EventStateHandler],
  providers: [AnchorFile, AnchorReconciler, EventRetention, RetentionReconciler],
})
export class AuditModule {}
