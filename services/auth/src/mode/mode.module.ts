import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  enableMultiUser,
  getAuthSettings,
  getMultiUserMode,
  multiUserEnabled,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import {
  Handle,
  Outbox,
  Reconciler,
  eventMessage,
  keyed,
  type OutboxMessage,
  type RequestContext,
} from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject, Injectable, Module } from "@nestjs/common";
import { DataSource, IsNull, type EntityManager } from "typeorm";
import {
  AccessChanges,
  AccessModule,
  InstanceAccessRepository,
} from "../access/instance-access.repository.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { ApiKey } from "../key/key.entity.ts";
import { OwnerCheck } from "../password/owner-check.ts";
import { NewPasswords } from "../password/password-rules.ts";
import { PasswordModule } from "../password/password.module.ts";
import { SessionModule } from "../session/session.module.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { isOpenIdSetUp, isPasswordLoginOff } from "../sign-in-token/sign-in-token.repository.ts";
import { refuseUsername } from "../user/user-fields.ts";
import { UserModule, UserRepository } from "../user/user.repository.ts";

/** Turns an instance without accounts into one with accounts. */
@Injectable()
class AccountActivation {
  constructor(
    private readonly access: InstanceAccessRepository,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly outbox: Outbox,
    private readonly accessChanges: AccessChanges,
    private readonly events: EventLog,
  ) {}

  /**
   * Creates the first admin, who then owns everything on the instance, and ends its sessions. The
   * caller has locked the instance's row.
   */
  async apply(
    manager: EntityManager,
    scope: Scope,
    username: string,
    passwordHash: string,
  ): Promise<void> {
    const now = new Date();
    const admin = await this.users.create(scope, manager, {
      username,
      role: "admin",
      passwordHash,
    });
    await this.access.enableMultiUser(scope, manager, admin.id, now);
    await manager.update(ApiKey, { userId: IsNull() }, { userId: admin.id });
    await this.sessions.endAll(manager, null);
    await this.outbox.add(
      manager,
      eventMessage(multiUserEnabled, { adminId: admin.id, at: now.toISOString() }),
    );
    await this.accessChanges.record(manager);
    await this.events.record(manager, scope, "multi_user_mode_enabled", { username }, admin.id);
    await this.events.record(
      manager,
      scope,
      "user_created",
      { userId: admin.id, username, role: "admin" },
      admin.id,
    );
  }
}

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
