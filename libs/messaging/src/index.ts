export * from "./boot-check.ts";
export { Broadcast, broadcastChannel } from "./broadcast.ts";
export * from "./coalescer.ts";
export { maximumReplyBytes, Signer } from "./envelope.ts";
export { Consume, Handle, Process, type JobContext, type RequestContext } from "./handle.ts";
export { isFinal } from "./job-runner.ts";
export { keyed } from "./keyed.ts";
export { messagingMigration } from "./messaging-migration.ts";
export { Outbox, eventMessage, jobMessage, type OutboxMessage } from "./outbox.ts";
export { OwnerTransfer, ownerTransferMigration, type OwnedTable } from "./owner-transfer.ts";
export { Pipes } from "./pipes.ts";
export { Reconciler } from "./reconciler.ts";
export { RequestClient } from "./request-client.ts";
export { RequestErrorFilter } from "./request-error.ts";
export { RequestServer } from "./request-server.ts";
export { ServiceMessaging } from "./service-messaging.ts";
export { createSharedMessaging, type SharedMessaging } from "./shared-messaging.ts";
export { Throttle, type Bucket } from "./throttle.ts";
export {
  maximumStreamBytes,
  StreamFullError,
  StreamGoneError,
  Streams,
  StreamTakenError,
  StreamWriter,
} from "./streams.ts";
export { WorkspaceOrphans } from "./workspace-orphans.ts";
