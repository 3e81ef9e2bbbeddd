import { randomBytes } from "node:crypto";
import { deriveKey, instanceSecret, type InstanceConfig } from "@carrel/config";
import { clipText, issuedAt } from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { JwtService } from "@nestjs/jwt";
import { z } from "zod";

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
  private readonly key: Buffer;

  constructor(
    private readonly jwt: JwtService,
    private readonly box: SecretBox,
    @Inject(CONFIG) config: InstanceConfig,
  ) {
    this.key = deriveKey(instanceSecret(config), "tokens", "visitors");
  }

  create(visitor: Omit<VisitorClaims, "exp" | "iat">): Promise<string> {
    return this.jwt.signAsync(visitor, {
      secret: this.key,
      algorithm: "HS256",
      audience,
      expiresIn: lifetime,
    });
  }

  /** null for a token that is malformed, forged, expired, from the future or of another widget. */
  async read(token: string | null, widgetId: number): Promise<VisitorClaims | null> {
    if (token === null) return null;
    const payload = await this.verify(token, this.key, { audience });
    const { data } = claims.safeParse(payload);
    return data !== undefined && data.wid === widgetId ? data : null;
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
