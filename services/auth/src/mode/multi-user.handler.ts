import { CarrelError, enableMultiUser, type In, type Out } from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { AccessChanges } from "../access/access-changes.ts";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { NewPasswords } from "../password/new-passwords.ts";
import { OwnerCheck } from "../password/owner-check.ts";
import { refuseUsername } from "../user/username.ts";
import { AccountActivation } from "./account-activation.ts";

const alreadyEnabled = (): CarrelError => new CarrelError("sign-in.accounts-already-enabled");

@Controller()
export class MultiUserHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly passwords: NewPasswords,
    private readonly owner: OwnerCheck,
    private readonly activation: AccountActivation,
    private readonly accessChanges: AccessChanges,
  ) {}

  /**
   * Needs the owner's confirmation if the instance has a password. Runs in one transaction: of two
   * concurrent callers, one creates the admin and the other gets the error that it is already
   * enabled.
   */
  @Handle(enableMultiUser)
  async enable(
    { username, password, currentPassword }: In<typeof enableMultiUser>,
    context: RequestContext,
  ): Promise<Out<typeof enableMultiUser>> {
    const { scope } = context;
    const before = await this.access.get();
    // Let the instance session through: redelivery of the request that enabled accounts must return
    // that request's result.
    if (before.mode === "multi" && scope.principal.kind !== "instance") throw alreadyEnabled();
    const refusal = refuseUsername(username);
    if (refusal !== null) throw refusal;
    this.passwords.check(password);
    const confirmed = await this.owner.confirmInstance(scope, currentPassword);
    const passwordHash = await this.passwords.hash(password);
    const result = await keyed(this.dataSource, context, async (manager) => {
      const now = await this.access.lock(manager);
      if (now.mode === "multi") throw alreadyEnabled();
      if (now.passwordHash !== confirmed) throw new CarrelError("password.confirmation-due");
      await this.activation.apply(manager, scope, username, passwordHash);
      return { success: true, error: null };
    });
    await this.accessChanges.announce();
    return result;
  }
}
