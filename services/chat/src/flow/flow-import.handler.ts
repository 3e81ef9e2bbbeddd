import { isDeepStrictEqual } from "node:util";
import {
  CarrelError,
  importFlow,
  listCredentialNames,
  listFlowSteps,
  type In,
  type Out,
} from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { Controller } from "@nestjs/common";
import { DataSource } from "typeorm";
import { CredentialRepository } from "../credential/credential.repository.ts";
import { stripDeep } from "../database/null-character.ts";
import { EventLog } from "../event-log/event-log.module.ts";
import { checkSteps, needsProof } from "./flow-content.ts";
import { FlowRepository } from "./flow.repository.ts";

/** Flows from a community hub. */
@Controller()
export class FlowImportHandler {
  constructor(
    private readonly dataSource: DataSource,
    private readonly repository: FlowRepository,
    private readonly credentials: CredentialRepository,
    private readonly eventLog: EventLog,
  ) {}

  @Handle(importFlow)
  async import(
    { id, dryRun, ...given }: In<typeof importFlow>,
    { scope }: RequestContext,
  ): Promise<Out<typeof importFlow>> {
    const { principal } = scope;
    const content = stripDeep(given);
    const { name, description, steps } = content;
    checkSteps(steps);
    const found = await this.repository.loadReached([{ steps }]);
    const names = listCredentialNames(JSON.stringify(steps));
    const credentials = await this.credentials.open({ kind: "flow", id }, names);
    const missing = {
      missingFlows: listRun(steps).filter((each) => !found.has(each)),
      missingCredentials: names.filter((each) => !credentials.has(each)),
    };
    return this.dataSource.transaction(async (manager) => {
      const row = await this.repository.findIfAny(id, manager);
      const isSame = isDeepStrictEqual(
        row && { name: row.name, description: row.description, steps: row.steps },
        { name, description, steps },
      );
      const state = row === null ? "new" : isSame ? "same" : "changed";
      if (dryRun || state === "same") return { state, ...missing };
      if (needsProof(principal, row?.steps ?? [], steps)) throw new CarrelError("access.proof-due");
      const quiet = { active: false, shared: false };
      if (row === null)
        await this.repository.add(manager, { id, ...content, ...quiet }, principal.userId);
      else {
        await this.repository.update(manager, row, { ...content, active: false }, principal.userId);
        await this.repository.set(manager, id, quiet);
      }
      const event = row === null ? "flow_created" : "flow_updated";
      await this.eventLog.record(manager, scope, event, { id, name, imported: true });
      return { state, ...missing };
    });
  }
}

const listRun = (steps: In<typeof importFlow>["steps"]): string[] => [
  ...new Set(
    listFlowSteps(steps).flatMap((step) =>
      step.type === "carrel-flow" ? [step.config.flowId] : [],
    ),
  ),
];
