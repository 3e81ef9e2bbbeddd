import { randomUUID } from "node:crypto";
import { Injectable, Module } from "@nestjs/common";
import { DataSource, In, type EntityManager } from "typeorm";
import { SecretHasher, SecretModule } from "../secret/secret-hasher.ts";
import { User } from "../user/user.entity.ts";
import { RecoveryCode } from "./recovery.entity.ts";

const issued = 4;

/** Normalises a typed code by removing case, spaces and dashes; null if it is not a valid code. */
export function normaliseRecoveryCode(typed: string): string | null {
  const code = typed.toLowerCase().replaceAll(/[\s\p{Pd}]/gu, "");
  return /^[0-9a-f]{32}$/.test(code) ? code : null;
}

/**
 * Codes that replace a forgotten password (two of them) or a one-time code (one); stored as HMACs.
 */
@Injectable()
export class RecoveryCodes {
  constructor(
    private readonly dataSource: DataSource,
    private readonly secrets: SecretHasher,
  ) {}

  /**
   * Issues four new codes (UUIDv4, as existing clients show them) and invalidates earlier ones.
   * They are readable only here.
   */
  async issue(manager: EntityManager, userId: number): Promise<string[]> {
    const codes = Array.from({ length: issued }, () => randomUUID());
    await manager.delete(RecoveryCode, { userId });
    await manager.insert(
      RecoveryCode,
      codes.map((code) => ({ userId, hash: this.hash(normaliseRecoveryCode(code)!) })),
    );
    await manager.query('UPDATE "user" SET seen_recovery_codes = true WHERE id = $1', [userId]);
    return codes;
  }

  /** Issues codes to a user who has never seen any; of two concurrent sign-ins, one issues them. */
  async issueFirst(manager: EntityManager, userId: number): Promise<string[] | null> {
    const user = await manager.findOne(User, {
      where: { id: userId, seenRecoveryCodes: false },
      lock: { mode: "pessimistic_write" },
    });
    return user === null ? null : this.issue(manager, userId);
  }

  count(manager: EntityManager, userId: number): Promise<number> {
    return manager.countBy(RecoveryCode, { userId });
  }

  /**
   * Returns hashes of the distinct correct codes among those typed. Does the same work for a user
   * who does not exist.
   */
  async findRight(userId: number | null, typed: readonly string[]): Promise<string[]> {
    const kept = await this.dataSource.manager.findBy(RecoveryCode, { userId: userId ?? 0 });
    const codes = new Set(typed.flatMap((each) => normaliseRecoveryCode(each) ?? []));
    const hashes = Array.from({ length: issued }, (_, index) => kept[index]?.hash ?? "");
    return [...codes].flatMap((code) =>
      hashes.filter((hash) => this.secrets.matches("recovery-code", code, hash)),
    );
  }

  /** Uses up a code; false if it is not one of the user's. */
  async take(manager: EntityManager, userId: number, typed: string): Promise<boolean> {
    const code = normaliseRecoveryCode(typed);
    return (
      code !== null &&
      ((await manager.delete(RecoveryCode, { userId, hash: this.hash(code) })).affected ?? 0) > 0
    );
  }

  /**
   * After a new password no code remains valid, except with a second factor: then unused ones are
   * kept, so that one can replace the lost device as well.
   */
  async spend(manager: EntityManager, user: User, used: string[]): Promise<void> {
    await manager.delete(RecoveryCode, {
      userId: user.id,
      ...(user.secondFactorSince === null ? {} : { hash: In(used) }),
    });
  }

  private hash(code: string): string {
    return this.secrets.hash("recovery-code", code);
  }
}

@Module({
  imports: [SecretModule],
  providers: [RecoveryCodes],
  exports: [RecoveryCodes],
})
export class RecoveryCodeModule {}
