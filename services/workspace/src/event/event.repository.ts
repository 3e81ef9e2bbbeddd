import { CarrelError, type Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { requireService } from "../access/workspace-rights.ts";
import { LoggedEvent } from "./event.entity.ts";

export interface EventEntry {
  /** uuid. */
  eventId: string;
  event: string;
  userId: number | null;
  metadata: Record<string, unknown>;
  occurredAt: Date;
}

function requireAdmin(scope: Scope): void {
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

  /** Newest first. */
  async list(
    scope: Scope,
    page: { offset: number; limit: number },
  ): Promise<{ events: LoggedEvent[]; total: number }> {
    requireAdmin(scope);
    const [events, total] = await this.dataSource.manager.findAndCount(LoggedEvent, {
      order: { occurredAt: "DESC", id: "DESC" },
      skip: page.offset * page.limit,
      take: page.limit,
    });
    return { events, total };
  }

  /** Returns the number of deleted entries. */
  async clear(scope: Scope, manager: EntityManager): Promise<number> {
    requireAdmin(scope);
    return (await manager.createQueryBuilder().delete().from(LoggedEvent).execute()).affected ?? 0;
  }

  private async insert(
    manager: EntityManager,
    { eventId, event, userId, metadata, occurredAt }: EventEntry,
  ): Promise<void> {
    await manager.query(
      `INSERT INTO workspace.event_log (event_id, event, user_id, metadata, occurred_at)
      VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (event_id) DO NOTHING`,
      [eventId, event, userId, JSON.stringify(storable(metadata)), occurredAt],
    );
  }
}

/** Limits that keep a page of a hundred entries within one reply, whatever was recorded. */
const longestText = 1_000;
const maxItems = 50;

/**
 * Makes metadata storable: jsonb accepts neither U+0000 nor lone surrogates, and text typed at a
 * login may contain both. Long lists and texts are visibly truncated.
 */
function storable(value: unknown): unknown {
  if (typeof value === "string")
    return (value.length > longestText ? `${value.slice(0, longestText)}…` : value)
      .replaceAll("\0", "")
      .toWellFormed();
  if (Array.isArray(value))
    return [
      ...value.slice(0, maxItems).map(storable),
      ...(value.length > maxItems ? [`… ${value.length - maxItems} more`] : []),
    ];
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [storable(key), storable(entry)]),
  );
}
