import type { Logger } from "@carrel/observability";
import { Broadcast } from "./broadcast.ts";
import { LocalServices } from "./local-requests.ts";
import { MessageCipher } from "./message-cipher.ts";
import { MessageSender } from "./message-sender.ts";
import { OutboxNotifications } from "./outbox-notifications.ts";
import { Pipes } from "./pipes.ts";
import { RedisConnections } from "./redis-connections.ts";
import { RedisPulse } from "./redis-pulse.ts";
import { RequestClient } from "./request-client.ts";
import { Streams } from "./streams.ts";
import { Subscriber } from "./subscriber.ts";
import { Throttle } from "./throttle.ts";

/** Shared by the services of one process: a few connections, one subscriber, one request client. */
export interface SharedMessaging {
  connections: RedisConnections;
  pulse: RedisPulse;
  cipher: MessageCipher;
  local: LocalServices;
  client: RequestClient;
  broadcast: Broadcast;
  streams: Streams;
  pipes: Pipes;
  sender: MessageSender;
  notifications: OutboxNotifications;
  throttle: Throttle;
  close(): Promise<void>;
}

/**
 * `key` is `deriveKey(secret, 'messages')`, the same in every process of the instance; messages
 * sealed with one of `otherKeys` are opened, too. `accepts` names the secrets of this process in its
 * connection to Redis, for `listAccepted`.
 */
export function createSharedMessaging(options: {
  redisUrl: string;
  key: Buffer;
  otherKeys?: readonly Buffer[];
  accepts?: readonly string[];
  logger: Logger;
  /** false for tests: everything goes through Redis, as it does between processes. Default true. */
  inProcess?: boolean;
}): SharedMessaging {
  const connections = new RedisConnections(options.redisUrl, options.logger, options.accepts);
  const subscriber = new Subscriber(connections);
  const cipher = new MessageCipher(options.key, ...(options.otherKeys ?? []));
  const { inProcess = true } = options;
  const local = new LocalServices(inProcess);
  const client = new RequestClient(connections, subscriber, cipher, local);
  const sender = new MessageSender(connections);
  return {
    connections,
    pulse: new RedisPulse(connections.commands),
    cipher,
    local,
    client,
    sender,
    notifications: new OutboxNotifications(options.logger),
    broadcast: new Broadcast(connections, subscriber, options.logger),
    streams: new Streams(connections, subscriber, cipher, inProcess),
    pipes: new Pipes(connections, subscriber, cipher),
    throttle: new Throttle(connections),
    async close() {
      client.close();
      await sender.close();
      await connections.close();
    },
  };
}
