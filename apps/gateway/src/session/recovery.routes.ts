import {
  acceptInvite,
  addMember,
  recoverAccount,
  resetPassword,
  servicePrincipal,
  type Out,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { CachedAccess } from "../access/workspace-scopes.ts";
import { clientAddress } from "../http/request-key.ts";
import { Route, type Call } from "../http/route.ts";

/**
 * Routes for callers without a session: lost passwords and invites. Attempts are counted by client
 * address.
 */
@Injectable()
export class RecoveryRoutes {
  constructor(
    private readonly requests: RequestClient,
    private readonly access: CachedAccess,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Route(recoverAccount)
  recover({
    input,
    scope,
    request,
  }: Call<typeof recoverAccount>): Promise<Out<typeof recoverAccount>> {
    return this.requests.request(
      recoverAccount,
      { ...input, address: clientAddress(request) },
      { scope },
    );
  }

  @Route(resetPassword)
  async reset({
    input,
    scope,
    request,
  }: Call<typeof resetPassword>): Promise<Out<typeof resetPassword>> {
    const answer = await this.requests.request(
      resetPassword,
      { ...input, address: clientAddress(request) },
      { scope },
    );
    this.access.dropAfter("auth", scope);
    return answer;
  }

  /**
   * Adds the new user to its workspaces before responding, because the client signs in next and
   * lists workspaces.
   */
  @Route(acceptInvite)
  async accept({
    input,
    scope,
    request,
  }: Call<typeof acceptInvite>): Promise<Out<typeof acceptInvite>> {
    const { userId, workspaceIds, ...answer } = await this.requests.request(
      acceptInvite,
      { ...input, address: clientAddress(request) },
      { scope, idempotencyKey: request.id },
    );
    if (typeof userId === "number" && workspaceIds !== undefined && workspaceIds.length > 0) {
      // The account exists; the event for the accepted invite repeats this once the service is
      // back.
      await this.requests
        .request(
          addMember,
          { userId, workspaceIds },
          { scope: { principal: servicePrincipal, workspace: null } },
        )
        .catch((error: unknown) =>
          this.logger.warn(
            { err: error, userId },
            "couldn't add an invited user to their workspaces yet, will retry",
          ),
        );
    }
    this.access.dropAfter("auth", scope);
    return answer;
  }
}
