import { randomUUID } from "node:crypto";
import {
  createCredential,
  deleteCredential,
  listCredentials,
  replaceCredentialValue,
  updateCredentialHosts,
  type In,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { Handle, keyed, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { EventLog } from "../event-log/event-log.module.ts";
import { CredentialRepository, type CredentialRow } from "./credential.repository.ts";

/** What admins request. No answer holds a value. */
@Controller()
export class CredentialHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: CredentialRepository,
    private readonly eventLog: EventLog,
  ) {}

  @Handle(listCredentials)
  async list(): Promise<Out<typeof listCredentials>> {
    return { credentials: await this.repository.list() };
  }

  @Handle(createCredential)
  create(
    input: In<typeof createCredential>,
    ctx: RequestContext,
  ): Promise<Out<typeof createCredential>> {
    return keyed(this.dataSource, ctx, async (manager) => {
      const row = { id: randomUUID(), ...input };
      await this.repository.add(manager, row, ctx.scope.principal.userId);
      await this.record(manager, ctx.scope, "credential_created", row);
      return { id: row.id };
    });
  }

  @Handle(replaceCredentialValue)
  replaceValue(
    { id, value }: In<typeof replaceCredentialValue>,
    { scope }: RequestContext,
  ): Promise<Out<typeof replaceCredentialValue>> {
    return this.dataSource.transaction(async (manager) => {
      const row = await this.repository.find(manager, id);
      await this.repository.update(manager, id, { value }, scope.principal.userId);
      await this.record(manager, scope, "credential_replaced", row);
      return { success: true };
    });
  }

  @Handle(updateCredentialHosts)
  updateHosts(
    { id, hosts }: In<typeof updateCredentialHosts>,
    { scope }: RequestContext,
  ): Promise<Out<typeof updateCredentialHosts>> {
    return this.dataSource.transaction(async (manager) => {
      const row = await this.repository.find(manager, id);
      await this.repository.update(manager, id, { hosts }, scope.principal.userId);
      await this.record(manager, scope, "credential_hosts_changed", { ...row, hosts });
      return { success: true };
    });
  }

  @Handle(deleteCredential)
  delete(
    { id }: In<typeof deleteCredential>,
    { scope }: RequestContext,
  ): Promise<Out<typeof deleteCredential>> {
    return this.dataSource.transaction(async (manager) => {
      const row = await this.repository.find(manager, id);
      await this.repository.delete(manager, id);
      await this.record(manager, scope, "credential_deleted", row);
      return { success: true };
    });
  }

  /** Without the value. */
  private record(
    manager: EntityManager,
    scope: Scope,
    event:
      | "credential_created"
      | "credential_replaced"
      | "credential_hosts_changed"
      | "credential_deleted",
    { id, name, owner, hosts }: Omit<CredentialRow, "value">,
  ): Promise<void> {
    return this.eventLog.record(manager, scope, event, { id, name, owner, hosts });
  }
}
