import type { InstanceConfig } from "@carrel/config";
import {
  multiUserEnabled,
  getAuthSettings,
  getMultiUserMode,
  type Out,
  CarrelError,
  enableMultiUser,
  type In,
} from "@carrel/contracts";
import {
  eventMessage,
  Reconciler,
  type OutboxMessage,
  Handle,
  keyed,
  type RequestContext,
} from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Module, Injectable, Controller, Inject } from "@nestjs/common";
import { DataSource } from "typeorm";
import { AccessChanges } from "../access/access-changes.ts";
import { AccessModule } from "../access/access.module.ts";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { NewPasswords } from "../password/new-passwords.ts";
import { OwnerCheck } from "../password/owner-check.ts";
import { PasswordModule } from "../password/password.module.ts";
import { SessionModule } from "../session/session.module.ts";
import { isOpenIdSetUp, isPasswordLoginOff } from "../sign-in-token/simple-sso.ts";
import { UserModule } from "../user/user.module.ts";
import { refuseUsername } from "../user/username.ts";
import { AccountActivation } from "./account-activation.ts";

const alreadyEnabled = (): CarrelError => new CarrelError("sign-in.accounts-already-enabled");

@Controller()
class MultiUserHandler {
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

/** What clients may know before they sign in. */
@Controller()
class ModeHandler {
  constructor(
    private readonly access: InstanceAccessRepository,
    @Inject(CONFIG) private readonly config: InstanceConfig,
  ) {}

  @Handle(getMultiUserMode)
  async mode(): Promise<Out<typeof getMultiUserMode>> {
    return { multiUserMode: (await this.access.get()).mode === "multi" };
  }

  @Handle(getAuthSettings)
  async settings(): Promise<Out<typeof getAuthSettings>> {
    const { mode, passwordHash } = await this.access.get();
    const { config } = this;
    const [multi, hasPassword] = [mode === "multi", passwordHash !== null];
    return {
      RequiresAuth: multi || hasPassword,
      AuthToken: hasPassword,
      JWTSecret: multi || hasPassword,
      MultiUserMode: multi,
      SimpleSSOEnabled: config.SIMPLE_SSO_ENABLED,
      SimpleSSONoLogin: isPasswordLoginOff(config),
      SimpleSSONoLoginRedirect: config.SIMPLE_SSO_NO_LOGIN_REDIRECT ?? null,
      OpenIDName: isOpenIdSetUp(config) ? config.CARREL_OIDC_NAME : null,
    };
  }
}

const soonMs = 10 * 60_000;
const weekMs = 7 * 24 * 3_600_000;

/**
 * Republishes that accounts were enabled, because Redis may lose the event before every service has
 * processed it, leaving rows without an owner. Runs once a minute for the first ten minutes, then
 * once per start during the first week; services that already processed it ignore it.
 */
@Injectable()
class MultiUserReconciler extends Reconciler {
  private wasTold = false;

  constructor(private readonly access: InstanceAccessRepository) {
    super();
  }

  async due(): Promise<OutboxMessage[]> {
    const { mode, multiUserSince, firstAdminId } = await this.access.get();
    if (mode !== "multi" || multiUserSince === null || firstAdminId === null) return [];
    const age = Date.now() - multiUserSince.getTime();
    if (age > soonMs && (this.wasTold || age > weekMs)) return [];
    this.wasTold = true;
    return [
      eventMessage(multiUserEnabled, { adminId: firstAdminId, at: multiUserSince.toISOString() }),
    ];
  }
}

@Module({
  imports: [AccessModule, EventLogModule, PasswordModule, SessionModule, UserModule],
  controllers: [ModeHandler, MultiUserHandler],
  providers: [AccountActivation, MultiUserReconciler],
})
export class ModeModule {}
