import { randomBytes } from "node:crypto";
import {
  CarrelError,
  createWidget,
  createWidgetSecret,
  deleteWidget,
  deleteWidgetSecret,
  findMissingWidgets,
  readWidgets,
  updateWidget,
  widgetDeleted,
  type ChangedWidget,
  type In,
  type Out,
  type Scope,
  type WidgetWire,
} from "@carrel/contracts";
import { SecretBox } from "@carrel/database";
import { Handle, Outbox, eventMessage, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { EventLog } from "../event/event.repository.ts";
import type { Workspace } from "../workspace/workspace.entity.ts";
import { mapWorkspaceToWire } from "../workspace/workspace.mapper.ts";
import { WorkspaceRepository } from "../workspace/workspace.repository.ts";
import type { Widget } from "./widget.entity.ts";
import { WidgetRepository, readAllowlist } from "./widget.repository.ts";

/** wire-contract 8.1. */
const mapWidgetToWire = (widget: Widget): WidgetWire => ({
  id: widget.id,
  uuid: widget.uuid,
  enabled: widget.enabled,
  chat_mode: widget.chatMode,
  allowlist_domains: widget.origins.length === 0 ? null : JSON.stringify(widget.origins),
  allow_model_override: widget.allowModelOverride,
  allow_temperature_override: widget.allowTemperatureOverride,
  allow_prompt_override: widget.allowPromptOverride,
  max_chats_per_day: widget.dayLimit,
  max_chats_per_session: widget.sessionLimit,
  message_limit: widget.historyLimit,
  workspace_id: widget.workspaceId,
  createdBy: widget.userId,
  usersId: widget.userId,
  createdAt: widget.createdAt.toISOString(),
  name: widget.name,
  max_chats_per_visitor: widget.visitorLimit,
  max_chats_per_address: widget.addressLimit,
  max_message_length: widget.messageLength,
  limit_messages: widget.messages,
  show_sources: widget.showSources,
  allow_any_origin: widget.allowAnyOrigin,
  only_signed_visitors: widget.onlySignedVisitors,
  page_enabled: widget.pageEnabled,
  has_identity_secret: widget.identitySecret !== null,
  greeting: widget.greeting,
  suggested_messages: widget.suggestedMessages,
  appearance: widget.appearance,
});

const columnOf = {
  workspace_id: "workspaceId",
  enabled: "enabled",
  chat_mode: "chatMode",
  allow_model_override: "allowModelOverride",
  allow_temperature_override: "allowTemperatureOverride",
  allow_prompt_override: "allowPromptOverride",
  max_chats_per_day: "dayLimit",
  max_chats_per_session: "sessionLimit",
  message_limit: "historyLimit",
  name: "name",
  max_chats_per_visitor: "visitorLimit",
  max_chats_per_address: "addressLimit",
  max_message_length: "messageLength",
  limit_messages: "messages",
  show_sources: "showSources",
  allow_any_origin: "allowAnyOrigin",
  only_signed_visitors: "onlySignedVisitors",
  page_enabled: "pageEnabled",
  greeting: "greeting",
  suggested_messages: "suggestedMessages",
  appearance: "appearance",
} as const satisfies Partial<Record<keyof ChangedWidget, keyof Widget>>;

/** Maps only the fields that are present; a new widget's fields also decide who may use it. */
export function mapWidgetToColumns(
  change: ChangedWidget,
  { isNew = false }: { isNew?: boolean } = {},
): Partial<Widget> {
  const columns: Record<string, unknown> = {};
  for (const [field, column] of Object.entries(columnOf)) {
    const value = change[field as keyof typeof columnOf];
    if (value !== undefined) columns[column] = value;
  }
  const { allowlist_domains, allow_any_origin } = change;
  if (allowlist_domains !== undefined || isNew) {
    const origins = readAllowlist(allowlist_domains ?? null);
    columns["origins"] = origins;
    // Existing clients know no such field: to them, an empty list means any site.
    if (allow_any_origin === undefined) columns["allowAnyOrigin"] = origins.length === 0;
  }
  return columns;
}

@Controller()
export class WidgetHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly widgets: WidgetRepository,
    private readonly workspaces: WorkspaceRepository,
    private readonly log: EventLog,
    private readonly outbox: Outbox,
    private readonly box: SecretBox,
  ) {}

  @Handle(readWidgets)
  async read(
    { uuid }: In<typeof readWidgets>,
    { scope }: RequestContext,
  ): Promise<Out<typeof readWidgets>> {
    const placed = await this.widgets.list(scope);
    return {
      widgets: placed
        .filter(({ widget }) => uuid === undefined || widget.uuid === uuid.toLowerCase())
        .map(({ widget, workspace }) => ({
          ...mapWidgetToWire(widget),
          workspace: mapWorkspaceToWire(workspace),
        })),
    };
  }

  @Handle(findMissingWidgets)
  async findMissing(
    { ids }: In<typeof findMissingWidgets>,
    { scope }: RequestContext,
  ): Promise<Out<typeof findMissingWidgets>> {
    return { ids: await this.widgets.listMissing(scope, ids) };
  }

  @Handle(createWidget)
  async create(
    { workspace_slug, ...fields }: In<typeof createWidget>,
    context: RequestContext,
  ): Promise<Out<typeof createWidget>> {
    const { scope } = context;
    const workspace = await this.findWorkspace(scope, {
      id: fields.workspace_id,
      slug: workspace_slug,
    });
    return keyed(this.dataSource, context, async (manager) => {
      const widget = await this.widgets.create(scope, manager, {
        ...mapWidgetToColumns(fields, { isNew: true }),
        workspaceId: workspace.id,
      });
      await this.log.record(manager, scope, "embed_created", describe(widget));
      return { embed: mapWidgetToWire(widget), error: null };
    });
  }

  @Handle(updateWidget)
  async update(
    { id, uuid, ...fields }: In<typeof updateWidget>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateWidget>> {
    const columns = mapWidgetToColumns(fields);
    if (columns.workspaceId !== undefined)
      await this.findWorkspace(scope, { id: columns.workspaceId });
    return this.dataSource.transaction(async (manager) => {
      const widget = await this.widgets.require(scope, manager, { id, uuid });
      if (Object.keys(columns).length === 0) return {};
      await this.widgets.update(scope, manager, widget.id, columns);
      await this.log.record(manager, scope, "embed_updated", {
        ...describe(widget),
        fields: Object.keys(fields).toSorted(),
      });
      return { success: true, error: null };
    });
  }

  @Handle(deleteWidget)
  async delete(
    key: In<typeof deleteWidget>,
    context: RequestContext,
  ): Promise<Out<typeof deleteWidget>> {
    const { scope } = context;
    return keyed(this.dataSource, context, async (manager) => {
      const widget = await this.widgets.require(scope, manager, key);
      if (!(await this.widgets.delete(scope, manager, widget.id)))
        throw new CarrelError("widget.not-found");
      await this.log.record(manager, scope, "embed_deleted", describe(widget));
      await this.outbox.add(manager, eventMessage(widgetDeleted, { widgetId: widget.id }));
      return { success: true, error: null };
    });
  }

  @Handle(createWidgetSecret)
  async createSecret(
    { id }: In<typeof createWidgetSecret>,
    { scope }: RequestContext,
  ): Promise<Out<typeof createWidgetSecret>> {
    const secret = randomBytes(32).toString("base64url");
    await this.setSecret(scope, id, this.box.seal(secret), "embed_identity_secret_created");
    return { secret };
  }

  @Handle(deleteWidgetSecret)
  async deleteSecret(
    { id }: In<typeof deleteWidgetSecret>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteWidgetSecret>> {
    await this.setSecret(scope, id, null, "embed_identity_secret_deleted");
    return { success: true };
  }

  private async setSecret(
    scope: Scope,
    id: number,
    identitySecret: string | null,
    event: string,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const widget = await this.widgets.require(scope, manager, { id });
      await this.widgets.update(scope, manager, id, { identitySecret });
      await this.log.record(manager, scope, event, describe(widget));
    });
  }

  private async findWorkspace(
    scope: Scope,
    { id, slug }: { id?: number | undefined; slug?: string | undefined },
  ): Promise<Workspace> {
    if (id === undefined && slug === undefined) throw new CarrelError("widget.workspace-missing");
    const workspace =
      id === undefined
        ? await this.workspaces.findBySlug(scope, slug!)
        : await this.workspaces.findById(scope, id);
    if (workspace === null) throw new CarrelError("widget.workspace-unknown");
    return workspace;
  }
}

/** Describes a widget for the event log. */
const describe = ({ id, workspaceId, name }: Widget): Record<string, unknown> => ({
  embedId: id,
  workspaceId,
  ...(name === null ? {} : { name }),
});
