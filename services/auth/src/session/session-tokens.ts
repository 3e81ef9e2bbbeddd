import type { InstanceConfig } from "@carrel/config";
import { issuedAt } from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { JwtService } from "@nestjs/jwt";
import { z } from "zod";

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
export type SessionClaims = z.output<typeof claims>;
/** Upper limit for `JWT_EXPIRY`: ten years, because extreme values would overflow a date. */
const longestMs = 10 * 365 * 24 * 3_600_000;

/**
 * JWTs (HS256, JWT_EXPIRY) that identify a session and never contain a password. Existing clients
 * treat them as opaque.
 */
@Injectable()
export class SessionTokens {
  readonly lifetimeMs: number;

  constructor(
    private readonly jwt: JwtService,
    @Inject(CONFIG) config: InstanceConfig,
  ) {
    this.lifetimeMs = Math.min(Math.max(config.JWT_EXPIRY, 1_000), longestMs);
  }

  create(session: { id: string; userId: number | null }, epoch: number): Promise<string> {
    const subject = session.userId === null ? { epoch } : { id: session.userId };
    return this.jwt.signAsync(
      { sid: session.id, ...subject },
      { algorithm: "HS256", expiresIn: Math.ceil(this.lifetimeMs / 1000) },
    );
  }

  /**
   * null for a token that is malformed, forged, expired, from the future, unsigned or signed with
   * another key.
   */
  async read(token: string): Promise<SessionClaims | null> {
    const payload: unknown = await this.jwt
      .verifyAsync<Record<string, unknown>>(token, { algorithms: ["HS256"] })
      .catch(() => null);
    return claims.safeParse(payload).data ?? null;
  }
}
