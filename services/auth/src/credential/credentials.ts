import { Injectable, Module } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { ApiKey } from "../key/key.entity.ts";
import { RecoveryCode, ResetToken } from "../recovery-code/recovery.entity.ts";
import { SessionModule } from "../session/session.module.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { SignInToken } from "../sign-in-token/sign-in-token.entity.ts";

/** Everything that grants a user access; revoked in the caller's transaction. */
@Injectable()
export class Credentials {
  constructor(private readonly sessions: SessionRepository) {}

  /** Revokes every session, API key, extension key, sign-in token and reset token of the user. */
  async revokeAll(manager: EntityManager, userId: number): Promise<void> {
    await this.sessions.endAll(manager, userId);
    for (const entity of [ApiKey, SignInToken, ResetToken])
      await manager.delete(entity, { userId });
  }

  /**
   * Called after users change or reset their own password: ends other sessions, extension keys and
   * unused tokens. Developer keys belong to the instance.
   */
  async revokeOthers(
    manager: EntityManager,
    userId: number,
    sessionId: string | undefined,
  ): Promise<void> {
    await this.sessions.endAll(manager, userId, { except: sessionId });
    await manager.delete(ApiKey, { userId, kind: "extension" });
    for (const entity of [SignInToken, ResetToken]) await manager.delete(entity, { userId });
  }

  async deleteRecoveryCodes(manager: EntityManager, userId: number): Promise<void> {
    await manager.delete(RecoveryCode, { userId });
  }
}

@Module({
  imports: [SessionModule],
  providers: [Credentials],
  exports: [Credentials],
})
export class CredentialModule {}
