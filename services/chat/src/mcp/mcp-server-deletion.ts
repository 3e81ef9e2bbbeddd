import { forgetSkillRule, mcpServersChanged, servicePrincipal } from "@carrel/contracts";
import { Broadcast, RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { McpServerRepository, type McpServerRow } from "./mcp-server.repository.ts";

/** Deletes servers with what admins and people decided about them: a later one has to be judged anew. */
@Injectable()
export class McpServerDeletion {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: McpServerRepository,
    private readonly requests: RequestClient,
    private readonly broadcast: Broadcast,
  ) {}

  /** @param record called in the transaction that deletes it */
  async delete(
    { id, name }: Pick<McpServerRow, "id" | "name">,
    record: (manager: EntityManager) => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    // Nobody may use it without its rule, and nobody may have its name before the rule is gone.
    await this.repository.setEnabled(this.dataSource.manager, id, false);
    const scope = { principal: servicePrincipal, workspace: null };
    await this.requests.request(forgetSkillRule, { skill: `mcp:${name}` }, { scope });
    await this.dataSource.transaction(async (manager) => {
      await this.repository.delete(manager, id);
      await record(manager);
    });
    await this.broadcast.invalidate(mcpServersChanged, { id, reconnect: true });
  }

  async deleteOfUser(userId: number): Promise<void> {
    for (const server of await this.repository.listOfUser(userId)) await this.delete(server);
  }
}
