import { randomUUID } from "node:crypto";
import { CarrelError } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, MoreThan, type EntityManager } from "typeorm";
import type { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { ResetToken } from "../recovery-code/recovery.entity.ts";
import { SecretHasher } from "../secret/secret-hasher.ts";

const lifetimeMs = 10 * 60_000;

/** Tokens that allow setting one new password, looked up by the HMAC of the token as sent. */
@Injectable()
export class ResetTokens {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretHasher,
  ) {}

  /**
   * Returns the only copy of a new token and invalidates the user's earlier one. The caller has
   * locked the user's row.
   */
  async create(manager: EntityManager, userId: number, usedCodes: string[]): Promise<string> {
    const token = randomUUID();
    await manager.delete(ResetToken, { userId });
    await manager.insert(ResetToken, {
      hash: this.hash(token),
      userId,
      usedCodes,
      expiresAt: new Date(Date.now() + lifetimeMs),
    });
    return token;
  }

  /** null if it is unknown, used or expired. */
  find(
    token: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<ResetToken | null> {
    return manager.findOneBy(ResetToken, {
      hash: this.hash(token),
      expiresAt: MoreThan(new Date()),
    });
  }

  /** Uses up the token; false if it was used in the meantime. */
  async take(manager: EntityManager, token: string): Promise<boolean> {
    return ((await manager.delete(ResetToken, { hash: this.hash(token) })).affected ?? 0) > 0;
  }

  private hash(token: string): string {
    return this.secrets.hash("reset-token", token);
  }
}

/** Refuses unless the instance has accounts: the instance password has no recovery codes. */
export async function requireAccounts(access: InstanceAccessRepository): Promise<void> {
  if ((await access.get()).mode !== "multi")
    throw new CarrelError("password.recovery-without-accounts");
}
