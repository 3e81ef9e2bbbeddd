export * from "./boot-check.ts";
export { Broadcast, broadcastChannel, handlingMs } from "./broadcast.ts";
export { maximumReplyBytes } from "./envelope.ts";
export {
  Consume,
  Handle,
  Process,
  ProcessFailed,
  type JobContext,
  type RequestContext,
} from "./handle.ts";
export { isFinal } from "./job-runner.ts";
export { keyed, resultKey } from "./keyed.ts";
export { MessageCipher } from "./message-cipher.ts";
export {
  messagingMigration,
  Outbox,
  eventMessage,
  jobMessage,
  type OutboxMessage,
} from "./outbox.ts";
export { PipeBrokenError, Pipes } from "./pipes.ts";
export { DailyReconciler, OrphanReconciler, Reconciler } from "./reconcilers.ts";
export {
  clearRedis,
  findForeignKey,
  forgetSecretNote,
  listAccepted,
  noteSecret,
  readSecretNote,
  replaceSecretNote,
} from "./redis-connections.ts";
export { RequestClient } from "./request-client.ts";
export { toUnavailable } from "./run-operation.ts";
export {
  isRedisOutOfMemory,
  isStorageFull,
  onStorageFull,
  type WrittenPlace,
} from "./storage-full.ts";
export { RequestServer } from "./request-server.ts";
export { ServiceMessaging } from "./service-messaging.ts";
export { createSharedMessaging, type SharedMessaging } from "./shared-messaging.ts";
export { addressGroup, Throttle, type Bucket } from "./throttle.ts";
export { StreamFullError, StreamGoneError, StreamTakenError } from "./stream-parts.ts";
export { maximumStreamBytes, StreamWriter } from "./stream-writer.ts";
export { Streams } from "./streams.ts";
