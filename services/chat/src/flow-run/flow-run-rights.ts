import {
  CarrelError,
  type FlowRunTrigger,
  type KnownFault,
  type Principal,
  type Scope,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import { DataSource, type EntityManager } from "typeorm";
import { FlowRepository, type FlowRow } from "../flow/flow.repository.ts";
import { OwnerScopes } from "../owner/owner.module.ts";
import type { FlowRunRow } from "./flow-run-row.ts";

/** Admins may run any flow by hand; what runs unattended stops when the flow is turned off. */
export const mayRun = (
  { role }: Pick<Principal, "role">,
  { active, shared }: Pick<FlowRow, "active" | "shared">,
  trigger: FlowRunTrigger,
): boolean =>
  role === "admin" ? active || trigger === "manual" || trigger === "rerun" : active && shared;

type OwnedRun = Pick<FlowRunRow, "flowId" | "ownerId" | "workspaceId" | "trigger">;
type Rights = { scope: Scope; fault: null } | { scope: null; fault: KnownFault };
/** Rejects with RightsEndedError if the last check was longer ago than this, and fails now. */
export type ConfirmRights = (o: { newerThanMs: number }) => Promise<void>;

/** A run's owner may no longer run its flow. */
export class RightsEndedError extends Error {
  override readonly name = "RightsEndedError";

  constructor(readonly fault: KnownFault) {
    super("The rights of the run's owner have ended");
  }
}

/** Whether a run's owner may run its flow now. */
@Injectable()
export class FlowRunRights {
  constructor(
    private readonly dataSource: DataSource,
    private readonly flows: FlowRepository,
    private readonly owners: OwnerScopes,
  ) {}

  async check(
    { flowId, ownerId, workspaceId, trigger }: OwnedRun,
    on: DataSource | EntityManager = this.dataSource,
  ): Promise<Rights> {
    const [owner, flow] = await Promise.all([
      this.owners.find(ownerId, workspaceId),
      this.flows.read(on, flowId),
    ]);
    if (owner.scope === null) return owner;
    if (flow === null) return { scope: null, fault: { code: "flow.not-found" } };
    return mayRun(owner.scope.principal, flow, trigger)
      ? owner
      : { scope: null, fault: { code: "flow.inactive" } };
  }

  /** For a run whose rights were just checked, and may end while it runs. */
  follow(run: OwnedRun): ConfirmRights {
    let checkedAt = performance.now();
    return async ({ newerThanMs }) => {
      const now = performance.now();
      if (now - checkedAt < newerThanMs) return;
      const { fault } = await this.check(run);
      if (fault !== null) throw new RightsEndedError(fault);
      checkedAt = now;
    };
  }

  /** Throws CarrelError. */
  async require(run: OwnedRun, manager: EntityManager): Promise<Scope> {
    const { scope, fault } = await this.check(run, manager);
    if (scope === null) throw CarrelError.fromFault(fault);
    return scope;
  }
}
