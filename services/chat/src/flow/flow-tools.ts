import type { Principal } from "@carrel/contracts";
import { createFlowTool, flowToolName, type FlowPorts, type Tool } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import { CredentialRepository } from "../credential/credential.repository.ts";
import { FlowRepository } from "./flow.repository.ts";

/** The active flows as tools: for admins all, for others those that are shared. */
@Injectable()
export class FlowTools {
  constructor(
    private readonly repository: FlowRepository,
    private readonly credentials: CredentialRepository,
  ) {}

  /** @param isTaken whether another tool has this name */
  async list(
    { kind, role }: Pick<Principal, "kind" | "role">,
    ports: Pick<FlowPorts, "content" | "model" | "search">,
    isTaken: (name: string) => boolean,
  ): Promise<Tool[]> {
    // Visitors of other sites aren't members.
    if (kind === "widget") return [];
    const rows = await this.repository.listActive(role !== "admin");
    const reached = await this.repository.loadReached(rows);
    const names = new Set<string>();
    return rows.map((row) => {
      const name = makeUnique(flowToolName(row), (each) => names.has(each) || isTaken(each));
      names.add(name);
      return createFlowTool(row, name, {
        ...ports,
        credentials: this.credentials,
        find: (id) => reached.get(id)?.steps ?? null,
        findFlow: (id) => Promise.resolve(reached.get(id) ?? null),
      });
    });
  }
}

function makeUnique(name: string, isTaken: (name: string) => boolean): string {
  let unique = name;
  for (let n = 2; isTaken(unique); n += 1) {
    const end = `_${n}`;
    unique = name.slice(0, 64 - end.length) + end;
  }
  return unique;
}
