export * from "./boot-check.ts";
export { Broadcast, broadcastChannel } from "./broadcast.ts";
export * from "./coalescer.ts";
export { maximumReplyBytes, maximumRequestBytes, Signer } from "./envelope.ts";
export { Consume, Handle, Process, type JobContext, type RequestContext } from "./handle.ts";
export { isFinal } from "./job-runner.ts";
export { keyed } from "./keyed.ts";
export { messagingMigration } from "./messaging-migration.ts";
export { Outbox, eventMessage, jobMessage, type OutboxMessage } from "./outbox.ts";
export {
  OwnerTransfer,
  ownerTransferMigration,
  type OwnedTable,
  type OwnerTransferOptions,
} from "./owner-transfer.ts";
export { PipeBrokenError, Pipes } from "./pipes.ts";
export { Reconciler } from "./reconciler.ts";
export { RequestClient, waitingLimit, type RequestOptions } from "./request-client.ts";
export { RequestErrorFilter } from "./request-error.ts";
export { RequestServer, type RequestServerOptions } from "./request-server.ts";
export { ServiceMessaging, type ServiceMessagingOptions } from "./service-messaging.ts";
export { createSharedMessaging, type SharedMessaging } from "./shared-messaging.ts";
export { Throttle, type Bucket } from "./throttle.ts";
export {
  maximumStreamBytes,
  StreamFullError,
  StreamGoneError,
  Streams,
  StreamTakenError,
  StreamWriter,
  type StreamPartRecord,
} from "./streams.ts";
export { WorkspaceOrphans } from "./workspace-orphans.ts";
