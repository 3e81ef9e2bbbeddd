import { randomBytes } from "node:crypto";
import { acceptedKeys, type InstanceConfig } from "@carrel/config";
import {
  clipText,
  issuedAt,
  type KnownFault,
  type Scope,
  type WidgetMessage,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Reconciler, addressGroup, type OutboxMessage } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { JwtService } from "@nestjs/jwt";
import { DataSource } from "typeorm";
import { z } from "zod";
import type { Widget } from "./widget.entity.ts";

interface ReachedLimit {
  fault: KnownFault;
  message: WidgetMessage;
  retryAfterSeconds: number;
}

interface Asked {
  /** Idempotency key of the request; the same if it is sent again. */
  key: string;
  sessionId: string;
  visitor: string;
}

const limits = [
  { of: "dayLimit", message: "day", code: "visitor.day-limit", column: null },
  { of: "sessionLimit", message: "session", code: "visitor.session-limit", column: "session_id" },
  { of: "visitorLimit", message: "visitor", code: "visitor.personal-limit", column: "visitor" },
  { of: "addressLimit", message: "address", code: "visitor.address-limit", column: "address" },
] as const;

/** When the limit-th newest of a widget's questions in the last 24 hours stops counting. */
const reachedSql = (column: string | null): string => `
  SELECT ceil(extract(epoch FROM asked_at + interval '24 hours' - now()))::int AS seconds
  FROM workspace.widget_question
  WHERE widget_id = $1 AND asked_at > now() - interval '24 hours'
    ${column === null ? "" : `AND ${column} = $3`}
  ORDER BY asked_at DESC OFFSET $2 LIMIT 1`;

/** Rows deleted at once. */
const sweepBatch = 5_000;

/**
 * Counts visitors' questions in PostgreSQL, where the widget's lock makes concurrent questions take
 * turns and a restart loses nothing. Rows that no longer count are deleted.
 */
@Injectable()
export class QuestionLimits extends Reconciler {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  /** Counts a question, or returns the limit that it would exceed. */
  count(
    scope: Scope,
    widget: Widget,
    { key, sessionId, visitor }: Asked,
  ): Promise<ReachedLimit | null> {
    const address = addressGroup(scope.address);
    const values = { session_id: sessionId, visitor, address };
    return this.dataSource.transaction(async (manager) => {
      const limited = limits.filter(({ of }) => widget[of] !== null);
      if (limited.length > 0)
        await manager.query(`SELECT FROM workspace.widget WHERE id = $1 FOR NO KEY UPDATE`, [
          widget.id,
        ]);
      const [again] = await manager.query<unknown[]>(
        `SELECT FROM workspace.widget_question
        WHERE widget_id = $1 AND session_id = $2 AND key = $3`,
        [widget.id, sessionId, key],
      );
      if (again !== undefined) return null;
      for (const { of, message, code, column } of limited) {
        const [reached] = await manager.query<{ seconds: number }[]>(reachedSql(column), [
          widget.id,
          widget[of]! - 1,
          ...(column === null ? [] : [values[column]]),
        ]);
        if (reached !== undefined)
          return { fault: { code }, message, retryAfterSeconds: Math.max(1, reached.seconds) };
      }
      await manager.query(
        `INSERT INTO workspace.widget_question
          (widget_id, session_id, visitor, address, key, asked_at)
        VALUES ($1, $2, $3, $4, $5, clock_timestamp())
        ON CONFLICT DO NOTHING`,
        [widget.id, sessionId, visitor, address, key],
      );
      return null;
    });
  }

  override async due(): Promise<OutboxMessage[]> {
    await this.dataSource.query(
      `DELETE FROM workspace.widget_question
      WHERE id IN (
        SELECT id FROM workspace.widget_question
        WHERE asked_at < now() - interval '24 hours'
        ORDER BY asked_at LIMIT $1
        FOR UPDATE SKIP LOCKED
      )`,
      [sweepBatch],
    );
    return [];
  }
}

/** A visitor's session of a widget. */
const claims = z.object({
  /** Id of the widget. */
  wid: z.int(),
  sid: z.uuid(),
  /**
   * The visitor whose limit the question counts against: the same for all sessions of one identity.
   */
  vid: z.string().max(300),
  /** Subject of the identity; absent for anonymous visitors. */
  sub: z.string().optional(),
  name: z.string().optional(),
  exp: z.number(),
  iat: issuedAt.optional(),
});
export type VisitorClaims = z.output<typeof claims>;

/** PostgreSQL can store neither U+0000 nor half a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes("\0") && text.isWellFormed();

/** Who the site's server says the visitor is. */
const identityClaims = z.object({
  sub: z.union([z.string().min(1).max(255).refine(isStorable), z.int()]).transform(String),
  name: z
    .string()
    .refine(isStorable)
    .transform((name) => clipText(name, 255))
    .optional()
    .catch(undefined),
  // Without it, a copied token would be valid forever.
  exp: z.number(),
  iat: issuedAt.optional(),
});
export type Identity = z.output<typeof identityClaims>;

const lifetime = "30d";
const audience = "carrel-visitor";

/**
 * The 8 in a UUID of version 8 says that a session needs its token; ids that clients make themselves
 * have another version.
 */
export const isSignedSession = (sessionId: string): boolean => sessionId[14] === "8";

export function createSessionId(): string {
  const bytes = randomBytes(16);
  bytes[6] = 0x80 | (bytes[6]! & 0x0f);
  bytes[8] = 0x80 | (bytes[8]! & 0x3f);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** JWTs (HS256) of visitors' sessions, and JWTs of sites that name their visitors. */
@Injectable()
export class VisitorTokens {
  /** The first signs, any is accepted. */
  private readonly keys: readonly [Buffer, ...Buffer[]];

  constructor(
    private readonly jwt: JwtService,
    private readonly box: SecretBox,
    @Inject(CONFIG) config: InstanceConfig,
  ) {
    this.keys = acceptedKeys(config, "tokens", "visitors");
  }

  create(visitor: Omit<VisitorClaims, "exp" | "iat">): Promise<string> {
    return this.jwt.signAsync(visitor, {
      secret: this.keys[0],
      algorithm: "HS256",
      audience,
      expiresIn: lifetime,
    });
  }

  /** null for a token that is malformed, forged, expired, from the future or of another widget. */
  async read(token: string | null, widgetId: number): Promise<VisitorClaims | null> {
    if (token === null) return null;
    for (const key of this.keys) {
      const { data } = claims.safeParse(await this.verify(token, key, { audience }));
      if (data !== undefined) return data.wid === widgetId ? data : null;
    }
    return null;
  }

  /** null as above; `sealed`: the widget's secret. */
  async readIdentity(token: string, sealed: string | null): Promise<Identity | null> {
    if (sealed === null) return null;
    const payload = await this.verify(token, this.box.open(sealed), {});
    return identityClaims.safeParse(payload).data ?? null;
  }

  private verify(
    token: string,
    secret: Buffer | string,
    options: { audience?: string },
  ): Promise<unknown> {
    return this.jwt
      .verifyAsync<Record<string, unknown>>(token, { ...options, secret, algorithms: ["HS256"] })
      .catch(() => null);
  }
}
