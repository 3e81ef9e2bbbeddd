import { authServiceContracts } from "./auth/index.ts";
import { chatServiceContracts } from "./chat/index.ts";
import { connectorsServiceContracts } from "./connectors/index.ts";
import { gatewayServiceContracts } from "./gateway/index.ts";
import { ingestServiceContracts } from "./ingest/index.ts";
import { listEndpoints, type DomainEvent, type Job, type Operation } from "./operation.ts";
import { syncWorkerServiceContracts } from "./sync-worker/index.ts";
import { workspaceServiceContracts } from "./workspace/index.ts";

export * from "./access.ts";
export * from "./auth/index.ts";
export * from "./chat/index.ts";
export * from "./clip-text.ts";
export * from "./coercion.ts";
export * from "./connectors/index.ts";

export * from "./errors/carrel-error.ts";
export * from "./errors/catalogue.ts";
export * from "./errors/error-definition.ts";
export * from "./errors/fault.ts";
export type { ErrorReply } from "./error-reply.ts";
export * from "./gateway/index.ts";
export * from "./ingest/index.ts";
export * from "./operation.ts";
export * from "./page-cursor.ts";
export * from "./parse-json.ts";
export * from "./passage-source.ts";
export * from "./source.ts";
export * from "./sync-worker/index.ts";
export * from "./workspace/index.ts";

const contracts = [
  ...authServiceContracts,
  ...workspaceServiceContracts,
  ...chatServiceContracts,
  ...ingestServiceContracts,
  ...connectorsServiceContracts,
  ...syncWorkerServiceContracts,
  ...gatewayServiceContracts,
];

/** Every operation; on boot, each must have one handler and an access policy. */
export const operations: readonly Operation[] = contracts.flatMap((noun) => noun.operations ?? []);
/** Every route; an operation may have several. */
export const endpoints = listEndpoints(operations);
export const jobs: readonly Job[] = contracts.flatMap((noun) => noun.jobs ?? []);
export const events: readonly DomainEvent[] = contracts.flatMap((noun) => noun.events ?? []);
