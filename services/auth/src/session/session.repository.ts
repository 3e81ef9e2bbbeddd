import { randomUUID } from "node:crypto";
import { acceptedKeys, type InstanceConfig } from "@carrel/config";
import { clipText, issuedAt } from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { JwtService } from "@nestjs/jwt";
import { DataSource, IsNull, LessThan, MoreThan, Not, type EntityManager } from "typeorm";
import { z } from "zod";
import { InstanceAccess } from "../access/instance-access.entity.ts";
import { Session } from "./session.entity.ts";

const times = { exp: z.number(), iat: issuedAt.optional() };
const claims = z.union([
  z
    .object({ sid: z.uuid(), epoch: z.int32(), ...times })
    .transform(({ sid, epoch }) => ({ sid, epoch, userId: null })),
  z
    .object({ sid: z.uuid(), id: z.int32().positive(), ...times })
    .transform(({ sid, id }) => ({ sid, epoch: null, userId: id })),
]);
/**
 * Claims of a token: its session, and either the user or, for the instance, the epoch of the
 * password it was issued for.
 */
type SessionClaims = z.output<typeof claims>;
/** Upper limit for `JWT_EXPIRY`: ten years, because extreme values would overflow a date. */
const longestMs = 10 * 365 * 24 * 3_600_000;

/**
 * JWTs (HS256, JWT_EXPIRY) that identify a session and never contain a password. Existing clients
 * treat them as opaque.
 */
@Injectable()
export class SessionTokens {
  readonly lifetimeMs: number;
  /** The first signs, any is accepted. */
  private readonly keys: readonly [Buffer, ...Buffer[]];

  constructor(
    private readonly jwt: JwtService,
    @Inject(CONFIG) config: InstanceConfig,
  ) {
    this.lifetimeMs = Math.min(Math.max(config.JWT_EXPIRY, 1_000), longestMs);
    this.keys = acceptedKeys(config, "tokens");
  }

  create(session: { id: string; userId: number | null }, epoch: number): Promise<string> {
    const subject = session.userId === null ? { epoch } : { id: session.userId };
    return this.jwt.signAsync(
      { sid: session.id, ...subject },
      { secret: this.keys[0], algorithm: "HS256", expiresIn: Math.ceil(this.lifetimeMs / 1000) },
    );
  }

  /**
   * null for a token that is malformed, forged, expired, from the future, unsigned or signed with
   * another key.
   */
  async read(token: string): Promise<SessionClaims | null> {
    for (const secret of this.keys) {
      const payload: unknown = await this.jwt
        .verifyAsync<Record<string, unknown>>(token, { secret, algorithms: ["HS256"] })
        .catch(() => null);
      const { data } = claims.safeParse(payload);
      if (data !== undefined) return data;
    }
    return null;
  }
}

export interface NewSession {
  userId: number | null;
  method: Session["method"];
  address: string | null | undefined;
  userAgent: string | null | undefined;
}
/** When the session's owner last proved their identity. */
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

  /** Records that the session's owner has just proved their identity. */
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
