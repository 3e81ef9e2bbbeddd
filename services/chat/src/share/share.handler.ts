import { createHmac, randomBytes } from "node:crypto";
import {
  CarrelError,
  createShare,
  defaultSharing,
  getShare,
  revokeShare,
  sharingLabel,
  sharingLimits,
  updateShare,
  type In,
  type Out,
  type ShareAudience,
  type ShareWire,
  type SharingLimit,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event-log/event-log.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { resolveThread } from "../thread/resolve-thread.ts";
import { ThreadRepository } from "../thread/thread.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { ShareRepository } from "./share.repository.ts";

/** Tokens of links: 256 random bits. Stored as HMACs only, like all random secrets. */
export class ShareTokens {
  constructor(private readonly key: Buffer) {}

  create(): string {
    return randomBytes(32).toString("base64url");
  }

  hash(token: string): string {
    return createHmac("sha256", this.key).update(token).digest("base64url");
  }
}

/** Links to the caller's own threads (docs/decisions/share-links.md). */
@Controller()
export class ShareHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly shares: ShareRepository,
    private readonly threads: ThreadRepository,
    private readonly tokens: ShareTokens,
    private readonly events: EventLog,
    private readonly settings: SettingsCache,
  ) {}

  @Handle(getShare)
  async get(input: In<typeof getShare>, ctx: RequestContext): Promise<Out<typeof getShare>> {
    const scope = inWorkspace(ctx.scope);
    const [threadId, sharing] = await Promise.all([
      resolveThread(this.threads, scope, input.thread ?? null),
      this.readLimit(),
    ]);
    const { workspace, principal } = scope;
    const share =
      threadId === null
        ? null
        : await this.shares.find({
            threadId,
            workspaceId: workspace.id,
            userId: principal.userId,
          });
    return { share, sharing };
  }

  @Handle(createShare)
  async create(
    { thread, audience, expiresInDays, showReasoning }: In<typeof createShare>,
    ctx: RequestContext,
  ): Promise<Out<typeof createShare>> {
    const scope = inWorkspace(ctx.scope);
    requireAllowed(await this.readLimit(), audience);
    const threadId = await resolveThread(this.threads, scope, thread ?? null);
    if (threadId === null) throw new CarrelError("share.empty");
    const token = this.tokens.create();
    const share = await this.dataSource.transaction(async (manager) => {
      const created = await this.shares.create(
        manager,
        { threadId, workspaceId: scope.workspace.id, userId: scope.principal.userId },
        { tokenHash: this.tokens.hash(token), audience, expiresInDays, showReasoning },
      );
      if (created === null) throw new CarrelError("share.empty");
      await this.events.record(manager, ctx.scope, "share_link_created", describe(created));
      return created;
    });
    return { share, token };
  }

  @Handle(updateShare)
  async update(
    { id, ...change }: In<typeof updateShare>,
    ctx: RequestContext,
  ): Promise<Out<typeof updateShare>> {
    requireAllowed(await this.readLimit(), change.audience ?? "team");
    const share = await this.dataSource.transaction(async (manager) => {
      const updated = await this.shares.update(manager, ctx.scope, id, change);
      if (updated === null) throw new CarrelError("share.not-found");
      await this.events.record(manager, ctx.scope, "share_link_updated", describe(updated));
      return updated;
    });
    return { share };
  }

  @Handle(revokeShare)
  async revoke(
    { id }: In<typeof revokeShare>,
    ctx: RequestContext,
  ): Promise<Out<typeof revokeShare>> {
    return keyed(this.dataSource, ctx, async (manager) => {
      if (!(await this.shares.delete(manager, ctx.scope, id)))
        throw new CarrelError("share.not-found");
      await this.events.record(manager, ctx.scope, "share_link_revoked", { shareId: id });
      return { success: true };
    });
  }

  private async readLimit(): Promise<SharingLimit> {
    return readSharingLimit((await this.settings.getInstance()).values);
  }
}

function requireAllowed(limit: SharingLimit, audience: ShareAudience): void {
  if (limit === "off") throw new CarrelError("share.disabled");
  if (limit === "team" && audience === "anyone") throw new CarrelError("share.team-only");
}

/** Describes a link for the event log. */
const describe = ({
  id,
  audience,
  expiresAt,
  showReasoning,
}: ShareWire): Record<string, unknown> => ({
  shareId: id,
  audience,
  expiresAt,
  showReasoning,
});

/** Reads what the admin allows from chat's cached settings. */
export function readSharingLimit(values: Readonly<Record<string, string>>): SharingLimit {
  const value = values[sharingLabel];
  return sharingLimits.find((limit) => limit === value) ?? defaultSharing;
}

/** The audience that a link has under this limit; null: no one. */
export function effectiveAudience(
  audience: ShareAudience,
  limit: SharingLimit,
): ShareAudience | null {
  if (limit === "off") return null;
  return limit === "team" ? "team" : audience;
}
