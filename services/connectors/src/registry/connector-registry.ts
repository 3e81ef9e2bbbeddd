import { CarrelError } from "@carrel/contracts";
import { Injectable, Module, type OnModuleInit } from "@nestjs/common";
import type { Connector } from "../connector/connector.ts";
import { loadConnectors } from "./load-connectors.ts";

/** Every connector, found by its folder. */
@Injectable()
export class ConnectorRegistry implements OnModuleInit {
  private byId: ReadonlyMap<string, Connector> = new Map();

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

  list(): Connector[] {
    return [...this.byId.values()];
  }
}

@Module({ providers: [ConnectorRegistry], exports: [ConnectorRegistry] })
export class RegistryModule {}
