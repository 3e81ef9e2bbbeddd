import { randomUUID } from "node:crypto";
import {
  CarrelError,
  clipText,
  type EventFilter,
  type ExportedEvent,
  type Scope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager, type SelectQueryBuilder } from "typeorm";
import { requireService } from "../access/workspace-rights.ts";
import { LoggedEvent } from "./event.entity.ts";

/** Limits that keep a page of a hundred entries within one reply, whatever was recorded. */
const longestText = 1_000;
/** Longer text is neither searched for secrets nor kept. */
const longestSearched = 10_000;
const maxItems = 50;

const redacted = "[redacted]";
/** Fields that hold a secret: `newPassword`, `reset_token`. Not `apiKeyId` or `usePassword: true`. */
const secretName =
  /(password|passphrase|secret|token|authorization|cookie|credentials?|private_?key|api_?key|(recovery|one_?time|invite)_?codes?)$/i;
/** Secrets recognisable by themselves. */
const secretTexts: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[\w+/=.~-]{8,}/gi, `$1 ${redacted}`],
  [/\beyJ[\w-]{5,}\.[\w-]{5,}\.[\w-]{5,}/g, redacted],
  [/\bsk-[\w-]{12,}/g, redacted],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g, redacted],
  // Credentials in an address.
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]*@/gi, `$1${redacted}@`],
  [/([?&](?:[\w-]*(?:key|token|secret|password|signature))=)[^&#\s]+/gi, `$1${redacted}`],
];

const withoutSecrets = (text: string): string =>
  secretTexts.reduce((kept, [pattern, instead]) => kept.replace(pattern, instead), text);

/** jsonb accepts neither U+0000 nor lone surrogates, and text typed at a login may contain both. */
function storableText(text: string): string {
  const safe = withoutSecrets(clipText(text, longestSearched));
  return (safe.length > longestText ? `${clipText(safe, longestText)}…` : safe).replaceAll(
    "\0",
    "",
  );
}

/**
 * Makes metadata storable. Long lists and texts are visibly cut; secrets, which callers must not
 * record in the first place, are replaced.
 */
export function storableMetadata(value: unknown): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value))
    return [
      ...value.slice(0, maxItems).map(storableMetadata),
      ...(value.length > maxItems ? [`… ${value.length - maxItems} more`] : []),
    ];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      storableText(key),
      secretName.test(key) && (typeof entry === "string" || typeof entry === "object") && entry
        ? redacted
        : storableMetadata(entry),
    ]),
  );
}

export interface EventEntry {
  /** uuid. */
  eventId: string;
  event: string;
  userId: number | null;
  metadata: Record<string, unknown>;
  occurredAt: Date;
}

/** Place in the list, newest first. */
export interface EventPlace {
  occurredAt: string;
  id: number;
}

export function requireAdmin(scope: Scope): void {
  if (scope.principal.role !== "admin") throw new CarrelError("access.forbidden");
}

@Injectable()
export class EventRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Stores an event recorded by another service. Idempotent. */
  async accept(scope: Scope, entry: EventEntry): Promise<void> {
    requireService(scope);
    await this.insert(this.dataSource.manager, entry);
  }

  /** Records an event in the transaction of the action; anyone allowed to act may record it. */
  record(_scope: Scope, manager: EntityManager, entry: EventEntry): Promise<void> {
    return this.insert(manager, entry);
  }

  /** Lists entries newest first, one more than `limit` if there is one. */
  async list(
    scope: Scope,
    filter: EventFilter,
    page: { after: EventPlace | null; offset: number; limit: number },
  ): Promise<{ events: LoggedEvent[]; total: number }> {
    requireAdmin(scope);
    const query = this.select(filter)
      .orderBy({ "entry.occurredAt": "DESC", "entry.id": "DESC" })
      .take(page.limit + 1);
    if (page.after === null) query.skip(page.offset * page.limit);
    else
      query.andWhere(
        "(entry.occurredAt, entry.id) < (CAST(:occurredAt AS timestamptz), :id)",
        page.after,
      );
    const [events, total] = await Promise.all([query.getMany(), this.select(filter).getCount()]);
    return { events, total };
  }

  /** Lists entries after entry `after`, in the order of the chain. */
  async listChained(
    scope: Scope,
    filter: EventFilter,
    page: { after: number; limit: number },
  ): Promise<Omit<ExportedEvent, "username">[]> {
    requireAdmin(scope);
    const events = await this.select(filter)
      .andWhere("entry.sequence > :after", { after: page.after })
      .orderBy("entry.sequence")
      .limit(page.limit)
      .getMany();
    return events.map(({ sequence, occurredAt, event, userId, metadata, hash }) => ({
      sequence: sequence!,
      occurredAt: occurredAt.toISOString(),
      event,
      userId,
      metadata: JSON.stringify(metadata),
      hash: hash!.toString("hex"),
    }));
  }

  /** Every kind of event and every user in the log; one index lookup each, however long it is. */
  async listFilters(scope: Scope): Promise<{ events: string[]; userIds: number[] }> {
    requireAdmin(scope);
    const distinct = <T>(column: "event" | "user_id"): Promise<{ value: T }[]> =>
      this.dataSource.query(
        `WITH RECURSIVE found AS (
          (SELECT min(${column}) AS value FROM workspace.event_log)
          UNION ALL
          SELECT (SELECT min(${column}) FROM workspace.event_log WHERE ${column} > found.value)
          FROM found
          WHERE found.value IS NOT NULL
        )
        SELECT value FROM found WHERE value IS NOT NULL LIMIT 1000`,
      );
    const [events, users] = await Promise.all([
      distinct<string>("event"),
      distinct<number>("user_id"),
    ]);
    return {
      events: events.map(({ value }) => value),
      userIds: users.map(({ value }) => value),
    };
  }

  private select({
    event,
    userId,
    from,
    to,
    timeZone,
    search,
  }: EventFilter): SelectQueryBuilder<LoggedEvent> {
    const query = this.dataSource.manager.createQueryBuilder(LoggedEvent, "entry");
    if (event !== undefined) query.andWhere("entry.event = :event", { event });
    if (userId === 0) query.andWhere("entry.userId IS NULL");
    else if (userId !== undefined) query.andWhere("entry.userId = :userId", { userId });
    if (from !== undefined)
      query.andWhere("entry.occurredAt >= CAST(:from AS timestamp) AT TIME ZONE :timeZone", {
        from,
        timeZone,
      });
    if (to !== undefined)
      query.andWhere(
        "entry.occurredAt < (CAST(:to AS timestamp) + interval '1 day') AT TIME ZONE :timeZone",
        { to, timeZone },
      );
    if (search !== undefined && search !== "")
      query.andWhere(
        "position(lower(:search) IN lower(entry.event || ' ' || CAST(entry.metadata AS text))) > 0",
        { search: search.toWellFormed() },
      );
    return query;
  }

  private async insert(
    manager: EntityManager,
    { eventId, event, userId, metadata, occurredAt }: EventEntry,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO workspace.event_log (event_id, event, user_id, metadata, occurred_at)
      VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (event_id) DO NOTHING`,
      [eventId, event, userId, JSON.stringify(storableMetadata(metadata)), occurredAt],
    );
  }
}

/** Records this service's actions in the transaction that performs them. */
@Injectable()
export class EventLog {
  constructor(private readonly events: EventRepository) {}

  /**
   * `metadata` must never contain a secret. Adds the caller's address and, without a user account,
   * their key or kind.
   */
  async record(
    manager: EntityManager,
    scope: Scope,
    event: string,
    metadata: Record<string, unknown> = {},
    userId: number | null = scope.principal.userId,
  ): Promise<void> {
    const { principal, address } = scope;
    const by =
      principal.keyId !== undefined
        ? principal.kind === "extension"
          ? { extensionKeyId: principal.keyId }
          : { apiKeyId: principal.keyId }
        : userId === null
          ? { by: principal.kind }
          : {};
    const from = address === undefined ? {} : { address };
    await this.events.record(scope, manager, {
      eventId: randomUUID(),
      event,
      userId,
      metadata: { ...metadata, ...by, ...from },
      occurredAt: new Date(),
    });
  }
}
