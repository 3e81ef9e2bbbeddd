import { accessChanged } from "@carrel/contracts";
import { Broadcast, eventMessage, Outbox } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import { ApiKey } from "../key/key.entity.ts";
import { RecoveryCode, ResetToken } from "../recovery/recovery.entity.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { SignInToken } from "../sign-in-token/sign-in-token.entity.ts";

/**
 * Ends what opens the instance for a user, in the caller's transaction, and tells everyone who
 * remembers a principal.
 */
@Injectable()
export class UserAccess {
  constructor(
    private readonly sessions: SessionRepository,
    private readonly outbox: Outbox,
    private readonly broadcast: Broadcast,
  ) {}

  /** Every session, API key, extension key, sign-in token and reset token of the user. */
  async endAll(manager: EntityManager, userId: number): Promise<void> {
    await this.sessions.endAll(manager, userId);
    for (const entity of [ApiKey, SignInToken, ResetToken])
      await manager.delete(entity, { userId });
  }

  /**
   * What the owner's new password ends: the other sessions, and tokens that someone may have asked
   * for.
   */
  async endOthers(
    manager: EntityManager,
    userId: number,
    sessionId: string | undefined,
  ): Promise<void> {
    await this.sessions.endAll(manager, userId, { except: sessionId });
    for (const entity of [SignInToken, ResetToken]) await manager.delete(entity, { userId });
  }

  async forgetRecoveryCodes(manager: EntityManager, userId: number): Promise<void> {
    await manager.delete(RecoveryCode, { userId });
  }

  /**
   * In the transaction: what is remembered of the user, and of developer keys, which name no user,
   * is void for certain. Without a user: of everyone.
   */
  async noteChange(manager: EntityManager, userId?: number): Promise<void> {
    await this.outbox.add(manager, eventMessage(accessChanged, { userId }));
  }

  /** After the commit and before the answer: the same, at once. */
  async tellChange(userId?: number): Promise<void> {
    await this.broadcast.publishEvent(accessChanged, { userId });
  }
}
