import { randomUUID } from "node:crypto";
import { eventLogged, type Scope } from "@carrel/contracts";
import { Outbox, eventMessage } from "@carrel/messaging";
import { Injectable, Module } from "@nestjs/common";
import type { EntityManager } from "typeorm";

/** Records entries of the instance's event log, in the transaction of the event itself. */
@Injectable()
export class EventLog {
  constructor(private readonly outbox: Outbox) {}

  /** `metadata` must never contain a secret or what someone wrote; the address is added to it. */
  record(
    manager: EntityManager,
    { principal, address }: Scope,
    event:
      | "share_link_created"
      | "share_link_updated"
      | "share_link_revoked"
      | "agent_tool_allowed"
      | "agent_tool_asks_again"
      | "exported_chats"
      | "deleted_chats"
      | "mcp_server_added"
      | "mcp_server_updated"
      | "mcp_server_deleted"
      | "mcp_server_started"
      | "mcp_server_stopped"
      | "mcp_server_signed_in"
      | "mcp_tools_approved"
      | "mcp_tool_enabled"
      | "mcp_tool_disabled"
      | "credential_created"
      | "credential_replaced"
      | "credential_hosts_changed"
      | "credential_deleted"
      | "flow_created"
      | "flow_updated"
      | "flow_deleted"
      | "flow_toggled"
      | "flow_shared"
      | "flow_run_started"
      | "flow_run_denied"
      | "flow_trigger_set"
      | "flow_trigger_deleted"
      | "flow_hook_secret_replaced"
      | "schedule_created"
      | "schedule_updated"
      | "schedule_deleted"
      | "schedule_paused"
      | "schedule_resumed"
      | "schedule_secret_replaced"
      | "schedule_call_allowed"
      | "plugin_installed"
      | "plugin_confirmed"
      | "plugin_configured"
      | "plugin_toggled"
      | "plugin_deleted"
      | "local_model_requested"
      | "local_model_deleted",
    metadata: Record<string, unknown>,
  ): Promise<void> {
    return this.outbox.add(
      manager,
      eventMessage(eventLogged, {
        id: randomUUID(),
        event,
        userId: principal.userId,
        metadata: {
          ...metadata,
          ...(principal.keyId === undefined ? {} : { apiKeyId: principal.keyId }),
          ...(address === undefined ? {} : { address }),
        },
        occurredAt: new Date().toISOString(),
      }),
    );
  }
}

@Module({
  providers: [EventLog],
  exports: [EventLog],
})
export class EventLogModule {}
