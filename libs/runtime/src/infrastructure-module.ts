import type { InstanceConfig } from "@carrel/config";
import { SecretBox } from "@carrel/database";
import {
  Broadcast,
  Outbox,
  Pipes,
  RequestClient,
  Streams,
  Throttle,
  type SharedMessaging,
} from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import type { DynamicModule } from "@nestjs/common";
import { DiscoveryModule } from "@nestjs/core";
import { DataSource } from "typeorm";

/** Token of the frozen configuration: `@Inject(CONFIG) config: InstanceConfig & …`. */
export const CONFIG = Symbol("CONFIG");
/** Token of the pino logger. */
export const LOGGER = Symbol("LOGGER");
/**
 * Token of an AbortSignal that aborts when the service begins to stop, before it finishes its work.
 */
export const STOPPING = Symbol("STOPPING");

export class InfrastructureModule {
  /**
   * Provides CONFIG, LOGGER, STOPPING (to services), RequestClient, Streams, Pipes, Broadcast,
   * Throttle, SecretBox and, if the service has a database, DataSource and Outbox to every module.
   */
  static register(parts: {
    config: InstanceConfig;
    logger: Logger;
    stopping?: AbortSignal;
    shared: SharedMessaging;
    secretBox: SecretBox;
    database?: { dataSource: DataSource; schema: string };
  }): DynamicModule {
    const { config, logger, stopping, shared, secretBox, database } = parts;
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      ...(stopping ? [{ provide: STOPPING, useValue: stopping }] : []),
      { provide: RequestClient, useValue: shared.client },
      { provide: Streams, useValue: shared.streams },
      { provide: Pipes, useValue: shared.pipes },
      { provide: Broadcast, useValue: shared.broadcast },
      { provide: Throttle, useValue: shared.throttle },
      { provide: SecretBox, useValue: secretBox },
      ...(database
        ? [
            { provide: DataSource, useValue: database.dataSource },
            { provide: Outbox, useValue: new Outbox(database.schema) },
          ]
        : []),
    ];
    return {
      module: InfrastructureModule,
      global: true,
      imports: [DiscoveryModule],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
