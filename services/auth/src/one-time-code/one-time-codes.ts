import { SecretBox, SecretUnreadableError } from "@carrel/database";
import { Injectable, Module } from "@nestjs/common";
import { generateSecret, generateURI, verify } from "otplib";
import type { EntityManager } from "typeorm";
import type { User } from "../user/user.entity.ts";

const stepSeconds = 30;

/** TOTP (RFC 6238: SHA-1, 6 digits, 30 s), accepting one step early or late. */
@Injectable()
export class OneTimeCodes {
  constructor(private readonly box: SecretBox) {}

  /** Creates a secret; returns it in base32 and in the sealed form to store. */
  create(username: string): { secret: string; uri: string; sealed: string } {
    const secret = generateSecret();
    return {
      secret,
      uri: generateURI({ issuer: "Carrel", label: username, secret }),
      sealed: this.box.seal(secret),
    };
  }

  /**
   * Accepts a code if it is correct and newer than the last accepted one: each works once, even
   * with concurrent attempts.
   */
  async take(
    manager: EntityManager,
    user: Pick<User, "id" | "secondFactorSealed">,
    typed: string,
  ): Promise<boolean> {
    const token = typed.replaceAll(/\s/g, "");
    const secret = this.open(user.secondFactorSealed);
    if (secret === null || !/^[0-9]{6}$/.test(token)) return false;
    const result = await verify({
      secret,
      token,
      period: stepSeconds,
      epochTolerance: stepSeconds,
    });
    if (!result.valid || !("timeStep" in result)) return false;
    const [, taken] = await manager.query<[unknown[], number]>(
      `UPDATE "user" SET second_factor_step = $2
      WHERE id = $1 AND (second_factor_step IS NULL OR second_factor_step < $2)`,
      [user.id, result.timeStep],
    );
    return taken === 1;
  }

  /**
   * A secret sealed under another instance secret cannot be opened; a recovery code or an admin can
   * help.
   */
  private open(sealed: string | null): string | null {
    try {
      return sealed === null ? null : this.box.open(sealed);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return null;
      throw error;
    }
  }
}

@Module({ providers: [OneTimeCodes], exports: [OneTimeCodes] })
export class OneTimeCodeModule {}
