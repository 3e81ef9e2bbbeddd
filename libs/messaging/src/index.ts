export { addressGroup } from "./address-group.ts";
export * from "./boot-check.ts";
export { Broadcast, broadcastChannel, handlingMs } from "./broadcast.ts";
export { clearRedis, findForeignKey, forgetSecretNote } from "./clear-redis.ts";
export * from "./coalescer.ts";
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
export { DailyReconciler } from "./daily-reconciler.ts";
export { MessageCipher } from "./message-cipher.ts";
export { messagingMigration } from "./messaging-migration.ts";
export { OrphanReconciler } from "./orphan-reconciler.ts";
export { Outbox, eventMessage, jobMessage, type OutboxMessage } from "./outbox.ts";
export { PipeBrokenError, Pipes } from "./pipes.ts";
export { Reconciler } from "./reconciler.ts";
export { RequestClient } from "./request-client.ts";
export { toUnavailable } from "./request-error.ts";
export { RequestServer } from "./request-server.ts";
export { noteSecret, readSecretNote } from "./secret-note.ts";
export { ServiceMessaging } from "./service-messaging.ts";
export { createSharedMessaging, type SharedMessaging } from "./shared-messaging.ts";
export { Throttle, type Bucket } from "./throttle.ts";
export { StreamFullError, StreamGoneError, StreamTakenError } from "./stream-errors.ts";
export { maximumStreamBytes, StreamWriter } from "./stream-writer.ts";
export { Streams } from "./streams.ts";
