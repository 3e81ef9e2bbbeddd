import { deriveKey, instanceSecret, type InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  authenticate,
  endSession,
  listSessions,
  refreshUser,
  signOut,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, Reconciler, type OutboxMessage, type RequestContext } from "@carrel/messaging";
import { CONFIG } from "@carrel/runtime";
import { Controller, Injectable, Module } from "@nestjs/common";
import { JwtModule } from "@nestjs/jwt";
import { DataSource } from "typeorm";
import { AccessChanges, AccessModule } from "../access/instance-access.repository.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { SecretModule } from "../secret/secret-hasher.ts";
import { mapUser } from "../user/user-fields.ts";
import { UserModule, UserRepository } from "../user/user.repository.ts";
import { Authenticator } from "./authenticator.ts";
import { SessionRepository, SessionTokens } from "./session.repository.ts";

@Controller()
class SessionHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly authenticator: Authenticator,
    private readonly sessions: SessionRepository,
    private readonly users: UserRepository,
    private readonly accessChanges: AccessChanges,
    private readonly events: EventLog,
  ) {}

  @Handle(authenticate)
  async authenticate({
    bearer,
    credential,
  }: In<typeof authenticate>): Promise<Out<typeof authenticate>> {
    return { principal: await this.authenticator.authenticate(bearer, credential) };
  }

  @Handle(refreshUser)
  async user(
    _input: In<typeof refreshUser>,
    { scope }: RequestContext,
  ): Promise<Out<typeof refreshUser>> {
    const { userId } = scope.principal;
    if (userId === null) return { success: true, user: null, message: null };
    const user = await this.users.findById(userId);
    if (user === null) throw new CarrelError("access.session-invalid");
    if (user.suspended) throw new CarrelError("access.account-suspended");
    return { success: true, user: mapUser(user), message: null };
  }

  /** Without a password there is no session to end. */
  @Handle(signOut)
  async signOut(
    _input: In<typeof signOut>,
    { scope }: RequestContext,
  ): Promise<Out<typeof signOut>> {
    if (scope.principal.sessionId !== undefined)
      await this.end(scope, scope.principal.sessionId, "sign_out");
    return { success: true };
  }

  @Handle(listSessions)
  async list(
    _input: In<typeof listSessions>,
    { scope }: RequestContext,
  ): Promise<Out<typeof listSessions>> {
    const sessions = await this.sessions.list(scope.principal.userId);
    return {
      sessions: sessions.map(({ id, createdAt, lastSeenAt, address, userAgent, method }) => ({
        id,
        current: id === scope.principal.sessionId,
        createdAt: createdAt.toISOString(),
        lastSeenAt: lastSeenAt.toISOString(),
        address,
        userAgent,
        method,
      })),
    };
  }

  /** Unknown sessions and other users' sessions are not ended, and get the same reply. */
  @Handle(endSession)
  async endOne(
    { id }: In<typeof endSession>,
    { scope }: RequestContext,
  ): Promise<Out<typeof endSession>> {
    if (id !== "others") return { success: await this.end(scope, id, "session_ended") };
    const { userId, sessionId } = scope.principal;
    await this.dataSource.transaction(async (manager) => {
      const ended = await this.sessions.endAll(manager, userId, { except: sessionId });
      await this.events.record(manager, scope, "session_ended", { sessions: ended });
      await this.accessChanges.record(manager, userId ?? undefined);
    });
    await this.accessChanges.announce(userId ?? undefined);
    return { success: true };
  }

  private async end(
    scope: Scope,
    id: string,
    event: "sign_out" | "session_ended",
  ): Promise<boolean> {
    const { userId } = scope.principal;
    const ended = await this.dataSource.transaction(async (manager) => {
      if (!(await this.sessions.end(manager, userId, id))) return false;
      await this.events.record(manager, scope, event, { sessionId: id });
      await this.accessChanges.record(manager, userId ?? undefined);
      return true;
    });
    if (ended) await this.accessChanges.announce(userId ?? undefined);
    return ended;
  }
}

/** Tables with expiring rows, and their key columns. */
const expiring = [
  ["session", "id"],
  ["reset_token", "hash"],
  ["sign_in_token", "hash"],
] as const;

/**
 * Deletes expired rows, which are already refused on use. Skips rows locked by someone else, such
 * as another replica.
 */
@Injectable()
class ExpirySweep extends Reconciler {
  constructor(private readonly dataSource: DataSource) {
    super();
  }

  async due(): Promise<OutboxMessage[]> {
    for (const [table, key] of expiring)
      await this.dataSource.query(
        `DELETE FROM ${table}
        WHERE ${key} IN (
          SELECT ${key} FROM ${table} WHERE expires_at < now() FOR UPDATE SKIP LOCKED
        )`,
      );
    return [];
  }
}

@Module({
  imports: [
    AccessModule,
    EventLogModule,
    SecretModule,
    UserModule,
    JwtModule.registerAsync({
      inject: [CONFIG],
      useFactory: (config: InstanceConfig) => ({
        secret: deriveKey(instanceSecret(config), "tokens"),
      }),
    }),
  ],
  controllers: [SessionHandler],
  providers: [Authenticator, ExpirySweep, SessionTokens, SessionRepository],
  exports: [SessionRepository],
})
export class SessionModule {}
