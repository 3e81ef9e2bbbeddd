import type { ChangedWidget, WidgetWire } from "@carrel/contracts";
import { readAllowlist } from "./allowed-origins.ts";
import type { Widget } from "./widget.entity.ts";

/** wire-contract 8.1. */
export const mapWidgetToWire = (widget: Widget): WidgetWire => ({
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

/** Maps only the fields that are present; those of a new widget decide who may use it, too. */
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
