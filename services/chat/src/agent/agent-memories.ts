import { clipText, memoryLimits, type WorkspaceScope } from "@carrel/contracts";
import { keyed } from "@carrel/messaging";
import type { MemoryPort } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import { DataSource } from "typeorm";
import { MemoryRepository, memoriesFull } from "../memory/memory.repository.ts";

/** What agents remember about people. */
@Injectable()
export class AgentMemories {
  constructor(
    private readonly dataSource: DataSource,
    private readonly memories: MemoryRepository,
  ) {}

  portOf(scope: WorkspaceScope): MemoryPort {
    const { principal, workspace } = scope;
    return {
      remember: (text, key) =>
        keyed(
          this.dataSource,
          { contract: "agent.remember", scope, idempotencyKey: key },
          async (manager) => {
            const memory = await this.memories.create(
              manager,
              principal.userId,
              workspace.id,
              clipText(text, memoryLimits.characters),
            );
            if (memory === null) throw memoriesFull(workspace.id);
          },
        ),
    };
  }
}
