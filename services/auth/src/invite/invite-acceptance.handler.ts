import { hash } from "node:crypto";
import type { InstanceConfig } from "@carrel/config";
import { acceptInvite, type In, type Out } from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { DataSource } from "typeorm";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { NewPasswords } from "../password/new-passwords.ts";
import { requirePasswordLogin } from "../sign-in-token/simple-sso.ts";
import { Attempts } from "../throttle/attempts.ts";
import { refuseUsername } from "../user/username.ts";
import { isOpen } from "./invite.entity.ts";
import { InviteClaims, unusableInvite } from "./invite-claims.ts";
import { InviteRepository } from "./invite.repository.ts";

type Acceptance = Out<typeof acceptInvite>;

@Controller()
export class InviteAcceptanceHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly instance: InstanceAccessRepository,
    private readonly invites: InviteRepository,
    private readonly claims: InviteClaims,
    private readonly passwords: NewPasswords,
    private readonly attempts: Attempts,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  /** Limits guesses by address. The password is hashed only for a valid code. */
  @Handle(acceptInvite)
  accept(input: In<typeof acceptInvite>, context: RequestContext): Promise<Acceptance> {
    requirePasswordLogin(this.config);
    const address = input.address ?? context.scope.address;
    return this.attempts.count({ kind: "token", address }, () =>
      this.acceptOnce(input, {
        ...context,
        scope: { ...context.scope, ...(address !== undefined && { address }) },
      }),
    );
  }

  private async acceptOnce(
    { code, username, password }: In<typeof acceptInvite>,
    context: RequestContext,
  ): Promise<Acceptance> {
    if ((await this.instance.get()).mode !== "multi") throw unusableInvite();
    const inviteHash = this.invites.hash(code);
    // On redelivery the invite is already claimed, and the stored result is returned.
    const invite = await this.invites.findByHash(inviteHash);
    if (invite === null || invite.status === "disabled") throw unusableInvite();
    const refusal = refuseUsername(username);
    if (refusal !== null) throw refusal;
    this.passwords.check(password);
    const passwordHash = isOpen(invite) ? await this.passwords.hash(password) : null;
    // Anonymous callers share one principal, so the same idempotency key chosen by two of them must
    // not merge their requests.
    const idempotencyKey = hash(
      "sha256",
      JSON.stringify([context.idempotencyKey, inviteHash, username]),
    );
    return keyed(this.dataSource, { ...context, idempotencyKey }, (manager) =>
      this.claims.claim(manager, context.scope, { inviteHash, username, passwordHash }),
    );
  }
}
