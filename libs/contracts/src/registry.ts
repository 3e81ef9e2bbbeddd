import type { DomainEvent, Job, Operation } from "./operation.ts";

/** What one noun contributes; boot checks that every operation and job has exactly one handler. */
export interface Contracts {
  operations?: readonly Operation[];
  jobs?: readonly Job[];
  events?: readonly DomainEvent[];
}
