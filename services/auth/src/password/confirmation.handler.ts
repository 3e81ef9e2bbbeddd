import { confirmSession, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { AccessChanges } from "../access/access-changes.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { OwnerCheck } from "./owner-check.ts";

/** Confirms that a session is used by its owner; see `Access.proof`. */
@Controller()
export class ConfirmationHandler {
  constructor(
    private readonly owner: OwnerCheck,
    private readonly sessions: SessionRepository,
    private readonly accessChanges: AccessChanges,
  ) {}

  @Handle(confirmSession)
  async confirm(
    proof: In<typeof confirmSession>,
    { scope }: RequestContext,
  ): Promise<Out<typeof confirmSession>> {
    const { userId, sessionId } = scope.principal;
    // An instance without a password has nothing to prove.
    if (sessionId !== undefined) {
      await this.owner.prove(scope, proof);
      await this.sessions.confirm(sessionId, userId);
      // Gateways cache when the session was proven.
      await this.accessChanges.announce(userId ?? undefined);
    }
    return { success: true, error: null };
  }
}
