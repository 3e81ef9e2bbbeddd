import { CarrelError, type ConnectorWire } from "@carrel/contracts";
import { CONFIG } from "@carrel/runtime";
import { Inject, Injectable, Module, type OnModuleInit } from "@nestjs/common";
import type { Connector } from "../connector/connector.ts";
import type { ConnectorsConfig } from "../connectors.config.ts";
import { loadConnectors } from "./load-connectors.ts";

/** Every connector, found by its folder. */
@Injectable()
export class ConnectorRegistry implements OnModuleInit {
  private byId: ReadonlyMap<string, Connector> = new Map();

  constructor(@Inject(CONFIG) private readonly config: ConnectorsConfig) {}

  async onModuleInit(): Promise<void> {
    const connectors = await loadConnectors();
    this.byId = new Map(connectors.map((connector) => [connector.id, connector]));
    if (this.byId.size < connectors.length) throw new Error("two connectors have the same id");
  }

  /** Throws `source.connector-unknown`. */
  get(id: string): Connector {
    const connector = this.byId.get(id);
    if (connector === undefined) throw new CarrelError("source.connector-unknown");
    return connector;
  }

  /** The ids of those that tell of changes as they happen, here. */
  listWatchable(): string[] {
    const hasFolders = this.config.CARREL_SOURCE_FOLDERS.length > 0;
    return [...this.byId.values()].flatMap(({ id, watch, needsFolders }) =>
      watch === undefined || (needsFolders && !hasFolders) ? [] : [id],
    );
  }

  /** Those that people can choose, with their forms. */
  listForms(): ConnectorWire[] {
    const hasFolders = this.config.CARREL_SOURCE_FOLDERS.length > 0;
    return [...this.byId.values()].flatMap(({ id, form, needsFolders }) =>
      form === null || (needsFolders && !hasFolders) ? [] : [{ id, ...form }],
    );
  }
}

@Module({ providers: [ConnectorRegistry], exports: [ConnectorRegistry] })
export class RegistryModule {}
