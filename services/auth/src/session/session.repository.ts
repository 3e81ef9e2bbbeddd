import { clipText } from "@carrel/contracts";
import { randomUUID } from "node:crypto";
import { Injectable } from "@nestjs/common";
import { DataSource, IsNull, LessThan, MoreThan, Not, type EntityManager } from "typeorm";
import { InstanceAccess } from "../access/instance-access.entity.ts";
import { SessionTokens } from "./session-tokens.ts";
import { Session } from "./session.entity.ts";

export interface NewSession {
  userId: number | null;
  method: Session["method"];
  address: string | null | undefined;
  userAgent: string | null | undefined;
}
/** When a session last proved who uses it. */
export const provenAt = ({ confirmedAt, createdAt }: Session): number =>
  (confirmedAt ?? createdAt).getTime();
const owner = (userId: number | null) => (userId === null ? IsNull() : userId);
/** Minimum age of `lastSeenAt` before a request updates it. */
const seenEveryMs = 5 * 60_000;

/**
 * Sessions by owner; null is the instance. Callers that end sessions publish `accessChanged`, both
 * inside the transaction and after it.
 */
@Injectable()
export class SessionRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: SessionTokens,
  ) {}

  /** Creates a session; returns the only copy of its token. */
  async create(
    manager: EntityManager,
    from: NewSession,
  ): Promise<{ session: Session; token: string }> {
    const now = new Date();
    const session = manager.create(Session, {
      id: randomUUID(),
      userId: from.userId,
      method: from.method,
      address: from.address ?? null,
      userAgent: printable(from.userAgent),
      createdAt: now,
      confirmedAt: null,
      lastSeenAt: now,
      expiresAt: new Date(now.getTime() + this.tokens.lifetimeMs),
    });
    await manager.insert(Session, session);
    const epoch =
      from.userId === null ? (await manager.findOneByOrFail(InstanceAccess, { id: 1 })).epoch : 0;
    return { session, token: await this.tokens.create(session, epoch) };
  }

  /** null if it ended, expired or belongs to someone else. */
  find(id: string, userId: number | null): Promise<Session | null> {
    return this.dataSource.manager.findOneBy(Session, {
      id,
      userId: owner(userId),
      expiresAt: MoreThan(new Date()),
    });
  }

  /** Writes at most every five minutes across all replicas. */
  async seen(session: Session): Promise<void> {
    const old = new Date(Date.now() - seenEveryMs);
    if (session.lastSeenAt < old)
      await this.dataSource.manager.update(
        Session,
        { id: session.id, lastSeenAt: LessThan(old) },
        { lastSeenAt: new Date() },
      );
  }

  /** Its owner has just proved who uses it. */
  async confirm(id: string, userId: number | null): Promise<void> {
    await this.dataSource.manager.update(
      Session,
      { id, userId: owner(userId) },
      { confirmedAt: new Date() },
    );
  }

  /** Returns whether this owner had such a session. */
  async end(manager: EntityManager, userId: number | null, id: string): Promise<boolean> {
    return ((await manager.delete(Session, { id, userId: owner(userId) })).affected ?? 0) > 0;
  }

  /** Returns how many ended. */
  async endAll(
    manager: EntityManager,
    userId: number | null,
    options: { except?: string | undefined } = {},
  ): Promise<number> {
    const others = options.except === undefined ? {} : { id: Not(options.except) };
    return (await manager.delete(Session, { userId: owner(userId), ...others })).affected ?? 0;
  }

  /** Newest first. */
  list(userId: number | null): Promise<Session[]> {
    return this.dataSource.manager.find(Session, {
      where: { userId: owner(userId), expiresAt: MoreThan(new Date()) },
      order: { createdAt: "DESC", id: "ASC" },
      take: 500,
    });
  }
}

/** PostgreSQL cannot store NUL, and control characters do not belong in a list. */
const printable = (userAgent: string | null | undefined): string | null =>
  typeof userAgent === "string" ? clipText(userAgent.replaceAll(/\p{Cc}/gu, " "), 512) : null;
