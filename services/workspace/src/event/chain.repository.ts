import { servicePrincipal, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { requireService } from "../access/workspace-rights.ts";
import { ChainVerifier } from "../event-chain/chain-verifier.ts";
import {
  ChainFault,
  interleave,
  type Anchor,
  type Checkpoint,
} from "../event-chain/export-record.ts";
import type { OutsideAnchors } from "../event-chain/outside-anchors.ts";
import type { ChainedEvent } from "../event-chain/signing.ts";
import { requireAdmin } from "./event.repository.ts";
import { SigningKeys } from "./signing-keys.ts";

export interface ChainHead {
  instance: string;
  sequence: number;
  hash: string;
}

const instant = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const signed = `encode(hash, 'hex') AS hash, ${instant("signed_at")} AS "signedAt", key, signature`;
const checkpointColumns = `'checkpoint' AS type, reason, from_sequence AS "fromSequence", sequence, ${signed}`;
const anchorColumns = `'anchor' AS type, day::text, sequence, ${signed}`;

/** The chain of the event log as it is exported and verified. */
@Injectable()
export class ChainRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Runs several reads against one state, which pruning can't change in between. */
  snapshot<T>(scope: Scope, read: (manager: EntityManager) => Promise<T>): Promise<T> {
    requireAdmin(scope);
    return this.dataSource.transaction("REPEATABLE READ", read);
  }

  async head(_scope: Scope, manager = this.dataSource.manager): Promise<ChainHead> {
    const [head] = await manager.query<ChainHead[]>(
      `SELECT instance, sequence, encode(hash, 'hex') AS hash FROM workspace.event_chain`,
    );
    if (head === undefined) throw new Error("the event log has no chain");
    return head;
  }

  checkpoints(_scope: Scope, manager = this.dataSource.manager): Promise<Checkpoint[]> {
    return manager.query(
      `SELECT ${checkpointColumns} FROM workspace.event_checkpoint ORDER BY event_checkpoint.sequence`,
    );
  }

  /** Anchors with `from < sequence <= to`, from days up to `day`. */
  anchors(
    _scope: Scope,
    manager: EntityManager,
    { from, to, day = null }: { from: number; to: number; day?: string | null },
  ): Promise<Anchor[]> {
    return manager.query(
      `SELECT ${anchorColumns} FROM workspace.event_anchor
      WHERE sequence > $1 AND sequence <= $2 AND ($3::date IS NULL OR day <= $3)
      ORDER BY event_anchor.sequence, event_anchor.day`,
      [from, to, day],
    );
  }

  async countAnchors(_scope: Scope, manager: EntityManager): Promise<number> {
    const [{ count }] = await manager.query<[{ count: number }]>(
      `SELECT count(*)::integer AS count FROM workspace.event_anchor`,
    );
    return count;
  }

  async lastAnchor(_scope: Scope, manager = this.dataSource.manager): Promise<Anchor | null> {
    const [anchor] = await manager.query<Anchor[]>(
      `SELECT ${anchorColumns} FROM workspace.event_anchor ORDER BY event_anchor.day DESC LIMIT 1`,
    );
    return anchor ?? null;
  }

  /** Entries with `from < sequence <= to`. A narrow range is cheap, whatever the planner knows. */
  events(
    scope: Scope,
    manager: EntityManager,
    { from, to }: { from: number; to: number },
  ): Promise<ChainedEvent[]> {
    requireAdmin(scope);
    return manager.query(
      `SELECT sequence, encode(previous_hash, 'hex') AS "previousHash", encode(hash, 'hex') AS hash,
        event_id AS id, ${instant("occurred_at")} AS "occurredAt", user_id AS "userId", event,
        metadata::text AS metadata
      FROM workspace.event_log
      WHERE sequence > $1 AND sequence <= $2
      ORDER BY event_log.sequence`,
      [from, to],
    );
  }

  /** Whether any entry was stored without the chain, or after its head. */
  async hasEventsBeyond(_scope: Scope, manager: EntityManager, sequence: number): Promise<boolean> {
    const [{ found }] = await manager.query<[{ found: boolean }]>(
      `SELECT EXISTS (
        SELECT 1 FROM workspace.event_log WHERE sequence IS NULL OR sequence > $1
      ) AS found`,
      [sequence],
    );
    return found;
  }

  /** The last day (UTC) with entries after the anchor and its day; null if there is none. */
  async lastDayAfter(
    _scope: Scope,
    manager: EntityManager,
    { day, sequence }: Pick<Anchor, "day" | "sequence">,
  ): Promise<string | null> {
    const [{ last }] = await manager.query<[{ last: string | null }]>(
      `SELECT max((occurred_at AT TIME ZONE 'UTC')::date)::text AS last
      FROM workspace.event_log
      WHERE sequence > $1 AND (occurred_at AT TIME ZONE 'UTC')::date > $2::date`,
      [sequence, day],
    );
    return last;
  }

  /** Returns false if the day already has an anchor. */
  async addAnchor(scope: Scope, manager: EntityManager, anchor: Anchor): Promise<boolean> {
    requireService(scope);
    const rows = await manager.query<unknown[]>(
      `INSERT INTO workspace.event_anchor (day, sequence, hash, signed_at, key, signature)
      VALUES ($1, $2, decode($3, 'hex'), $4, $5, $6)
      ON CONFLICT (day) DO NOTHING
      RETURNING day`,
      [anchor.day, anchor.sequence, anchor.hash, anchor.signedAt, anchor.key, anchor.signature],
    );
    return rows.length > 0;
  }

  async addCheckpoint(_scope: Scope, manager: EntityManager, point: Checkpoint): Promise<void> {
    await manager.query(
      `INSERT INTO workspace.event_checkpoint
        (sequence, from_sequence, hash, reason, signed_at, key, signature)
      VALUES ($1, $2, decode($3, 'hex'), $4, $5, $6, $7)`,
      [
        point.sequence,
        point.fromSequence,
        point.hash,
        point.reason,
        point.signedAt,
        point.key,
        point.signature,
      ],
    );
  }

  /** Returns how many entries were removed. */
  async removeUpTo(_scope: Scope, manager: EntityManager, sequence: number): Promise<number> {
    const [, removed] = await manager.query<[unknown, number]>(
      `DELETE FROM workspace.event_log WHERE sequence <= $1`,
      [sequence],
    );
    return removed;
  }

  /** The last entry before the first one that occurred at `cutoff` or later; 0 without one. */
  async lastBefore(_scope: Scope, manager: EntityManager, cutoff: Date): Promise<number> {
    const [{ last }] = await manager.query<[{ last: number }]>(
      `SELECT coalesce(
        (SELECT min(sequence) FROM workspace.event_log WHERE occurred_at >= $1) - 1,
        (SELECT max(sequence) FROM workspace.event_log),
        0
      ) AS last`,
      [cutoff],
    );
    return last;
  }

  /** One pruning at a time; writers of entries don't wait for it. */
  async lockPruning(_scope: Scope, manager: EntityManager): Promise<void> {
    await manager.query(`LOCK TABLE workspace.event_checkpoint IN SHARE ROW EXCLUSIVE MODE`);
  }
}

const serviceScope: Scope = { principal: servicePrincipal, workspace: null };
/** Entries read and hashed at a time, so that neither memory nor the event loop suffers. */
const atOnce = 1_000;

interface Verified {
  /** Knows what was verified. */
  verifier: ChainVerifier;
  fault: ChainFault | null;
}

/** Verifies the log in the database, with the code that verifies exports. */
@Injectable()
export class ChainVerification {
  constructor(
    private readonly chain: ChainRepository,
    private readonly keys: SigningKeys,
  ) {}

  /** Verifies up to entry `to`, or to the first fault. */
  async verify(
    manager: EntityManager,
    instance: string,
    to: number,
    outside?: OutsideAnchors,
  ): Promise<Verified> {
    const verifier = new ChainVerifier(instance, await this.keys.list(serviceScope, manager));
    try {
      await this.feed(verifier, manager, to, outside);
      return { verifier, fault: null };
    } catch (fault) {
      if (fault instanceof ChainFault) return { verifier, fault };
      throw fault;
    }
  }

  private async feed(
    verifier: ChainVerifier,
    manager: EntityManager,
    to: number,
    outside?: OutsideAnchors,
  ): Promise<void> {
    const addAnchor = (anchor: Anchor): void => {
      verifier.addAnchor(anchor);
      outside?.addAnchor(anchor);
    };
    for (const checkpoint of await this.chain.checkpoints(serviceScope, manager)) {
      verifier.addCheckpoint(checkpoint);
      outside?.compare(verifier.head);
    }
    let after = verifier.head.sequence;
    for (const anchor of await this.chain.anchors(serviceScope, manager, { from: -1, to: after }))
      addAnchor(anchor);
    while (after < to) {
      const range = { from: after, to: Math.min(after + atOnce, to) };
      const events = await this.chain.events(serviceScope, manager, range);
      const anchors = await this.chain.anchors(serviceScope, manager, range);
      for (const record of interleave(events, anchors))
        if (record.type === "event") {
          verifier.addEvent(record);
          outside?.compare(verifier.head);
        } else addAnchor(record);
      after = range.to;
    }
  }
}
