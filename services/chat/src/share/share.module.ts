import type { InstanceConfig } from "@carrel/config";
import {
  CarrelError,
  accessChanged,
  findUsers,
  findWorkspaces,
  listAllShares,
  listShares,
  maxListedShares,
  membersChanged,
  publicPrincipal,
  readShare,
  readShareAsUser,
  servicePrincipal,
  type EventPayload,
  type In,
  type Out,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import {
  Consume,
  Handle,
  RequestClient,
  Throttle,
  addressGroup,
  type Bucket,
  type RequestContext,
} from "@carrel/messaging";
import { CONFIG, keptHashKey } from "@carrel/runtime";
import { Controller, Injectable, Module } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { ThreadModule } from "../thread/thread.module.ts";
import { CitationAccess, readableMentions } from "../turn/citation-access.ts";
import { TurnModule } from "../turn/turn.module.ts";
import { ShareHandler, ShareTokens, effectiveAudience, readSharingLimit } from "./share.handler.ts";
import { ShareRepository, type ListedShare } from "./share.repository.ts";
import { SharedThreadRepository, fitPage, type OpenShare } from "./shared-turns.ts";

const turnsPerPage = 50;
/** Failed attempts of one address: a burst, and the time to earn one more. */
const attempts = { capacity: 100, refillMs: 3_000 };
const second = 1_000;

/** What others see of a thread. Whatever is wrong with a link, the reply is the same. */
@Controller()
class SharedThreadHandler {
  constructor(
    private readonly threads: SharedThreadRepository,
    private readonly tokens: ShareTokens,
    private readonly settings: SettingsCache,
    private readonly throttle: Throttle,
    private readonly requests: RequestClient,
    private readonly citations: CitationAccess,
  ) {}

  @Handle(readShare)
  read(input: In<typeof readShare>, { scope }: RequestContext): Promise<Out<typeof readShare>> {
    return this.readPage(input, scope);
  }

  @Handle(readShareAsUser)
  readAsUser(
    input: In<typeof readShareAsUser>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readShareAsUser>> {
    return this.readPage(input, scope);
  }

  private async readPage(
    { token, after }: In<typeof readShare>,
    scope: Scope,
  ): Promise<Out<typeof readShare>> {
    const buckets = [{ key: `share:${addressGroup(scope.address)}`, ...attempts }];
    await this.countAttempt(buckets);
    const share = await this.open(token, scope);
    if (share === null) throw missing();
    const stored = await this.threads.listTurns(share.id, after, turnsPerPage + 1);
    if (stored.length === 0) throw missing();
    // A link shows what everyone may see, whoever reads it.
    const rows = await this.citations.mask({ principal: publicPrincipal, workspace: null }, stored);
    const { principal } = scope;
    // Only failed attempts count.
    await this.throttle.refund(buckets).catch(() => undefined);
    return {
      name: share.name,
      sharedAt: share.sharedAt.toISOString(),
      ...fitPage(rows, turnsPerPage, {
        reasoning: share.showReasoning,
        // Mentions may name documents that no answer cites.
        mentions: (all) =>
          principal.kind === "public" ? [] : readableMentions(principal, share.userId, all),
      }),
    };
  }

  private async open(token: string, { principal }: Scope): Promise<OpenShare | null> {
    const [share, { values }] = await Promise.all([
      this.threads.open(this.tokens.hash(token)),
      this.settings.getInstance(),
    ]);
    if (share === null) return null;
    const audience = effectiveAudience(share.audience, readSharingLimit(values));
    const isAdmitted =
      audience === "anyone" || (audience === "team" && principal.kind !== "public");
    return isAdmitted && (await this.mayPublish(share.userId)) ? share : null;
  }

  /** Asked each time, so that a suspension applies at once and the links work again after it. */
  private async mayPublish(userId: number | null): Promise<boolean> {
    if (userId === null) return true;
    const { users } = await this.requests.request(
      findUsers,
      { ids: [userId] },
      { scope: { principal: servicePrincipal, workspace: null } },
    );
    return users[0] !== undefined && users[0].suspended !== true;
  }

  /** Links still open while Redis is down: tokens can't be guessed, the limit only saves work. */
  private async countAttempt(buckets: readonly Bucket[]): Promise<void> {
    const wait = await this.throttle.take(buckets).catch(() => 0);
    if (wait === 0) return;
    const seconds = Math.ceil(wait / second);
    throw new CarrelError(
      "access.too-many-attempts",
      { seconds, wait: seconds === 1 ? "a second" : `${seconds} seconds` },
      { retryAfter: seconds },
    );
  }
}

const missing = (): CarrelError => new CarrelError("share.not-found");

type Listed = Out<typeof listShares>["shares"][number];

@Controller()
class ShareListHandler {
  constructor(
    private readonly shares: ShareRepository,
    private readonly requests: RequestClient,
  ) {}

  @Handle(listShares)
  async list(
    _input: In<typeof listShares>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof listShares>> {
    return {
      shares: await this.addWorkspaces(
        principal,
        await this.shares.list(principal.userId, maxListedShares),
      ),
    };
  }

  @Handle(listAllShares)
  async listAll(
    _input: In<typeof listAllShares>,
    { scope: { principal } }: RequestContext,
  ): Promise<Out<typeof listAllShares>> {
    const found = await this.shares.list(undefined, maxListedShares);
    const ids = [...new Set(found.flatMap(({ userId }) => (userId === null ? [] : [userId])))];
    const [shares, { users }] = await Promise.all([
      this.addWorkspaces(principal, found),
      ids.length === 0
        ? { users: [] }
        : this.requests.request(findUsers, { ids }, { scope: { principal, workspace: null } }),
    ]);
    const names = new Map(users.map(({ id, username }) => [id, username]));
    return {
      shares: shares.map((share, index) => ({
        ...share,
        owner: names.get(found[index]!.userId ?? 0) ?? null,
      })),
    };
  }

  private async addWorkspaces(
    principal: Principal,
    found: readonly ListedShare[],
  ): Promise<Listed[]> {
    const ids = [...new Set(found.map(({ workspaceId }) => workspaceId))];
    const { workspaces } =
      ids.length === 0
        ? { workspaces: [] }
        : await this.requests.request(
            findWorkspaces,
            { ids },
            { scope: { principal, workspace: null } },
          );
    const byId = new Map(workspaces.map(({ id, slug, name }) => [id, { slug, name }]));
    return found.map(({ share, workspaceId, thread }) => ({
      ...share,
      thread,
      workspace: byId.get(workspaceId) ?? null,
    }));
  }
}

/**
 * Ends the links that people made in workspaces they can't use anymore: they were removed, or are no
 * longer managers. Idempotent. A late event does no harm, because only what they may use now counts.
 */
@Injectable()
class LostAccessConsumer {
  constructor(
    private readonly shares: ShareRepository,
    private readonly requests: RequestClient,
  ) {}

  @Consume(membersChanged)
  async onMembersChanged({
    excludedUserIds = [],
  }: EventPayload<typeof membersChanged>): Promise<void> {
    for (const userId of excludedUserIds) await this.endUnusable(userId);
  }

  @Consume(accessChanged)
  async onAccessChanged({ userId }: EventPayload<typeof accessChanged>): Promise<void> {
    if (userId !== undefined) await this.endUnusable(userId);
  }

  private async endUnusable(userId: number): Promise<void> {
    const ids = await this.shares.listWorkspaces(userId);
    if (ids.length === 0) return;
    const { users } = await this.requests.request(
      findUsers,
      { ids: [userId] },
      { scope: { principal: servicePrincipal, workspace: null } },
    );
    // Managers and admins can use every workspace.
    if (users[0]?.role !== "default") return;
    const { workspaces } = await this.requests.request(
      findWorkspaces,
      { ids },
      { scope: { principal: { kind: "user", userId, role: "default" }, workspace: null } },
    );
    const usable = new Set(workspaces.map(({ id }) => id));
    await this.shares.deleteOfMember(
      userId,
      ids.filter((id) => !usable.has(id)),
    );
  }
}

const shareTokens = {
  provide: ShareTokens,
  inject: [DataSource, CONFIG, SecretBox],
  useFactory: async (dataSource: DataSource, config: InstanceConfig, box: SecretBox) =>
    new ShareTokens(
      await keptHashKey(dataSource, { config, box, schema: "chat", name: "share-links" }),
    ),
};

@Module({
  imports: [EventLogModule, SettingModule, ThreadModule, TurnModule],
  controllers: [ShareHandler, ShareListHandler, SharedThreadHandler],
  providers: [LostAccessConsumer, ShareRepository, SharedThreadRepository, shareTokens],
  exports: [ShareRepository],
})
export class ShareModule {}
