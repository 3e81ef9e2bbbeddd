import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { randomCode, SecretHasher } from "../secret/secret-hasher.ts";
import { SignInToken } from "./sign-in-token.entity.ts";

/** How long a token stays valid before its single use. */
const lifetimeMs: Record<SignInToken["method"], number> = { sso: 6 * 60_000, openid: 60_000 };

/** One-time sign-in tokens, looked up by the HMAC of the whole token as sent. */
@Injectable()
export class SignInTokenRepository {
  constructor(private readonly secrets: SecretHasher) {}

  /**
   * Returns the only copy of a new token and invalidates earlier ones of the user made by the same
   * method. The caller has locked the user's row.
   */
  async create(
    manager: EntityManager,
    userId: number,
    method: SignInToken["method"],
  ): Promise<string> {
    await manager.delete(SignInToken, { userId, method });
    const token = `allm-tat-${randomCode()}`;
    await manager.insert(SignInToken, {
      hash: this.hash(token),
      userId,
      method,
      expiresAt: new Date(Date.now() + lifetimeMs[method]),
    });
    return token;
  }

  /** null if it is unknown or used; expired tokens are found. */
  find(manager: EntityManager, token: string): Promise<SignInToken | null> {
    return manager.findOneBy(SignInToken, { hash: this.hash(token) });
  }

  /** Uses up the token; false if it was used in the meantime. */
  async take(manager: EntityManager, token: string): Promise<boolean> {
    return ((await manager.delete(SignInToken, { hash: this.hash(token) })).affected ?? 0) > 0;
  }

  private hash(token: string): string {
    return this.secrets.hash("sign-in-token", token);
  }
}
