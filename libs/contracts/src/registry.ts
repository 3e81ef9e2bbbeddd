import type { DomainEvent, Job, Operation } from "./operation.ts";

/** Contributions of one noun; on boot, every operation and job must have exactly one handler. */
export interface Contracts {
  operations?: readonly Operation[];
  jobs?: readonly Job[];
  events?: readonly DomainEvent[];
}
