import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  enableMultiUser,
  getAuthSettings,
  getMultiUserMode,
  multiUserEnabled,
  type In,
  type Out,
} from "@carrel/contracts";
import { eventMessage, Handle, keyed, Outbox, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Inject } from "@nestjs/common";
import { DataSource, IsNull } from "typeorm";
import { EventLog } from "../event-log/event-log.ts";
import { ApiKey } from "../key/key.entity.ts";
import { PasswordHasher } from "../password/password-hasher.ts";
import { PasswordRules } from "../password/password-rules.ts";
import { SessionRepository } from "../session/session.repository.ts";
import { isOpenIdSetUp, isPasswordLoginOff } from "../sign-in-token/simple-sso.ts";
import { AccessChanges } from "../access/access-changes.ts";
import { UserRepository } from "../user/user.repository.ts";
import { refuseUsername } from "../user/username.ts";
import { InstanceAccessRepository } from "../access/instance-access.repository.ts";

const alreadyEnabled = (): CarrelError => new CarrelError("sign-in.accounts-already-enabled");

@Controller()
export class ModeHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly users: UserRepository,
    private readonly sessions: SessionRepository,
    private readonly hasher: PasswordHasher,
    private readonly rules: PasswordRules,
    private readonly outbox: Outbox,
    private readonly events: EventLog,
    private readonly accessChanges: AccessChanges,
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

  /**
   * Runs in one transaction: of two concurrent callers, one creates the admin and the other is told
   * it is already enabled.
   */
  @Handle(enableMultiUser)
  async enable(
    { username, password }: In<typeof enableMultiUser>,
    context: RequestContext,
  ): Promise<Out<typeof enableMultiUser>> {
    const { scope } = context;
    const before = await this.access.get();
    // Let the instance session through: redelivery of the request that enabled accounts must return
    // that request's result.
    if (before.mode === "multi" && scope.principal.kind !== "instance") throw alreadyEnabled();
    const refusal = refuseUsername(username, { firstAdmin: true }) ?? this.rules.refuse(password);
    if (refusal !== null) throw refusal;
    const passwordHash = await this.hasher.hash(password);
    const result = await keyed(this.dataSource, context, async (manager) => {
      if ((await this.access.lock(manager)).mode === "multi") throw alreadyEnabled();
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
      return { success: true, error: null };
    });
    await this.accessChanges.announce();
    return result;
  }
}
