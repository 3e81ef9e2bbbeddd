import type { Scope } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { OwnerCheck, type OwnerProof } from "./owner-check.ts";
import { PasswordHasher } from "./password-hasher.ts";
import { PasswordRules } from "./password-rules.ts";

/** Checks and hashes the passwords people choose for their accounts. */
@Injectable()
export class NewPasswords {
  constructor(
    private readonly rules: PasswordRules,
    private readonly hasher: PasswordHasher,
    private readonly owner: OwnerCheck,
  ) {}

  /** Before changing one's own password; see `OwnerCheck`. */
  async confirmOwner(scope: Scope, proof: OwnerProof): Promise<void> {
    await this.owner.confirm(scope, proof);
  }

  /** Throws the reason if the rules refuse the password. */
  check(password: string): void {
    const refusal = this.rules.refuse(password);
    if (refusal !== null) throw refusal;
  }

  /** Hashes a checked password; throws BUSY like `PasswordHasher`. */
  hash(password: string): Promise<string> {
    return this.hasher.hash(password);
  }
}
