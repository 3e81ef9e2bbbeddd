import type { FallbackModel, WorkspaceWire } from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { Answerer } from "../answer/answerer.ts";
import { Answerers } from "../answer/answerers.ts";
import type { InstanceSettings } from "../setting/settings-cache.ts";
import { AgentAnswerer } from "./agent-answerer.ts";
import { Agents } from "./agents.ts";

/** Selects who answers: in one reply, or in steps. */
@Injectable()
export class AnswererChoice {
  constructor(
    private readonly answerers: Answerers,
    private readonly agents: Agents,
  ) {}

  /** As `Answerers.choose`; an agent only where the workspace has a model. */
  choose(
    workspace: WorkspaceWire,
    instance: InstanceSettings,
    fallbacks: readonly FallbackModel[],
    isAgent = false,
  ): Answerer {
    return this.answerers.choose(
      workspace,
      instance,
      fallbacks,
      isAgent ? (...model) => new AgentAnswerer(this.agents, ...model) : undefined,
    );
  }

  prepare(workspace: WorkspaceWire, instance: InstanceSettings): Promise<void> {
    return this.answerers.prepare(workspace, instance);
  }
}
