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
  instancePrincipal,
  type Principal,
} from "@carrel/contracts";
import { Handle, Reconciler, type OutboxMessage, type RequestContext } from "@carrel/messaging";
import { Controller, Injectable, Module } from "@nestjs/common";
import { JwtModule } from "@nestjs/jwt";
import { DataSource } from "typeorm";
import type { InstanceAccess } from "../access/instance-access.entity.ts";
import {
  AccessChanges,
  AccessModule,
  InstanceAccessRepository,
} from "../access/instance-access.repository.ts";
import { EventLog, EventLogModule } from "../event-log/event-log.ts";
import { ApiKey } from "../key/key.entity.ts";
import { SecretModule, SecretHasher } from "../secret/secret-hasher.ts";
import { languageOf, mapUser, quotaOf } from "../user/user-fields.ts";
import { UserModule, UserRepository } from "../user/user.repository.ts";
import { SessionRepository, SessionTokens, provenAt } from "./session.repository.ts";

const keyRefused = (): CarrelError => new CarrelError("access.api-key-invalid");

/**
 * Resolves credentials of every kind to a principal, based on the current rows rather than on the
 * token's claims.
 */
@Injectable()
class Authenticator {
  constructor(
    private readonly dataSource: DataSource,
    private readonly access: InstanceAccessRepository,
    private readonly tokens: SessionTokens,
    private readonly sessions: SessionRepository,
    private readonly users: UserRepository,
    private readonly secrets: SecretHasher,
  ) {}

  /** UNAUTHENTICATED with the wire's text, or KEY_REFUSED for a key. */
  async authenticate(
    bearer: string | null,
    credential: "session" | "key" | "extension",
  ): Promise<Principal> {
    const access = await this.access.get();
    const token = bearer === "" || bearer === "null" ? null : bearer;
    if (credential === "key") return this.developerKey(access, token);
    if (credential === "extension") return this.extensionKey(access, token);
    return access.mode === "multi" ? this.userSession(token) : this.instanceSession(access, token);
  }

  private async instanceSession(access: InstanceAccess, bearer: string | null): Promise<Principal> {
    if (access.passwordHash === null) return instancePrincipal;
    if (bearer === null) throw new CarrelError("access.token-missing");
    const claims = await this.tokens.read(bearer);
    if (claims === null) throw new CarrelError("access.session-expired");
    if (claims.epoch !== access.epoch) throw new CarrelError("access.credentials-invalid");
    const session = await this.sessions.find(claims.sid, null);
    if (session === null) throw new CarrelError("access.session-expired");
    await this.sessions.seen(session);
    return { ...instancePrincipal, sessionId: session.id, provenAt: provenAt(session) };
  }

  private async userSession(bearer: string | null): Promise<Principal> {
    if (bearer === null) throw new CarrelError("access.token-missing");
    const claims = await this.tokens.read(bearer);
    if (claims?.userId === undefined || claims.userId === null)
      throw new CarrelError("access.token-invalid");
    const [user, session] = await Promise.all([
      this.users.findById(claims.userId),
      this.sessions.find(claims.sid, claims.userId),
    ]);
    if (user === null) throw new CarrelError("access.user-gone");
    if (user.suspended) throw new CarrelError("access.user-suspended");
    if (session === null) throw new CarrelError("access.token-invalid");
    await this.sessions.seen(session);
    return {
      kind: "user",
      userId: user.id,
      role: user.role,
      sessionId: session.id,
      provenAt: provenAt(session),
      dailyMessageLimit: quotaOf(user),
      ...languageOf(user),
    };
  }

  /**
   * The key may have every right, so in multi-user mode its creator must still be an active admin;
   * keys have no creator in single-user mode.
   */
  private async developerKey(access: InstanceAccess, bearer: string | null): Promise<Principal> {
    const key = await this.findKey("developer", bearer);
    if (access.mode === "multi") {
      const maker = key.userId === null ? null : await this.users.findById(key.userId);
      if (maker === null || maker.suspended || maker.role !== "admin") throw keyRefused();
    }
    if (key.expiresAt !== null && key.expiresAt.getTime() <= Date.now())
      throw new CarrelError("access.key-expired");
    await this.used(key);
    return {
      kind: "key",
      userId: null,
      role: "admin",
      keyId: key.id,
      scopes: key.scopes,
      ...(key.workspaceIds === null ? {} : { workspaceIds: key.workspaceIds }),
      ...(key.requestsPerMinute === null ? {} : { requestsPerMinute: key.requestsPerMinute }),
    };
  }

  private async extensionKey(access: InstanceAccess, bearer: string | null): Promise<Principal> {
    const key = await this.findKey("extension", bearer);
    if (access.mode === "single") {
      await this.used(key);
      return { kind: "extension", userId: null, role: "admin", keyId: key.id };
    }
    const owner = key.userId === null ? null : await this.users.findById(key.userId);
    if (owner === null) throw keyRefused();
    if (owner.suspended) throw new CarrelError("access.user-suspended");
    await this.used(key);
    return {
      kind: "extension",
      userId: owner.id,
      role: owner.role,
      keyId: key.id,
      dailyMessageLimit: quotaOf(owner),
      ...languageOf(owner),
    };
  }

  /** Looked up by HMAC, which callers cannot steer, so index timing reveals nothing. */
  private async findKey(kind: ApiKey["kind"], bearer: string | null): Promise<ApiKey> {
    const key =
      bearer === null
        ? null
        : await this.dataSource.manager.findOneBy(ApiKey, {
            kind,
            hash: this.secrets.hash(`${kind}-key`, bearer),
          });
    if (key === null) throw keyRefused();
    return key;
  }

  /** Written at most every five minutes, without updating the key's modification time. */
  private async used(key: ApiKey): Promise<void> {
    if (key.lastUsedAt === null || key.lastUsedAt.getTime() < Date.now() - 5 * 60_000)
      await this.dataSource.query("UPDATE auth.api_key SET last_used_at = now() WHERE id = $1", [
        key.id,
      ]);
  }
}

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
  imports: [AccessModule, EventLogModule, SecretModule, UserModule, JwtModule.register({})],
  controllers: [SessionHandler],
  providers: [Authenticator, ExpirySweep, SessionTokens, SessionRepository],
  exports: [SessionRepository],
})
export class SessionModule {}
