import { Injectable } from "@nestjs/common";
import type { ConnectionRun } from "../connection/connection-run.entity.ts";
import type { Connection } from "../connection/connection.entity.ts";
import { HostTurnRepository } from "../connection/host-turn.repository.ts";
import { ItemRepository } from "../connection/item.repository.ts";
import { RunRepository } from "../connection/run.repository.ts";
import type { Source } from "../connector/connector.ts";
import { FetchPlaces } from "./fetch-places.ts";
import { ItemImporter } from "./item-importer.ts";
import { RunTurn } from "./run-turn.ts";
import { SourceOpener } from "./source-opener.ts";

export interface OpenTurn {
  turn: RunTurn;
  source: Source;
  /** The source's host, for messages. */
  host: string;
}

/** Opens a connection's source for one turn of its run. */
@Injectable()
export class TurnOpener {
  /** In this process, over all sources. */
  private readonly places = new FetchPlaces(16, 6);
  /** A page of a listing may take 50 MB. */
  private readonly listings = new FetchPlaces(8);
  /** People wait for links, which must not wait for slow sources. */
  private readonly linkPlaces = new FetchPlaces(8);

  constructor(
    private readonly opener: SourceOpener,
    private readonly hosts: HostTurnRepository,
    private readonly runs: RunRepository,
    private readonly items: ItemRepository,
    private readonly importer: ItemImporter,
  ) {}

  async open(
    run: ConnectionRun,
    connection: Connection,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<OpenTurn> {
    const access = this.opener.readStored(connection);
    const source = await this.opener.open(access, signal);
    const { connector, settings } = access;
    const folder = connection.isOnce ? connector.folderOf?.(settings) : undefined;
    const { host } = new URL(connector.originOf(settings));
    const { hosts, items, importer, listings } = this;
    const places = connection.connector === "link" ? this.linkPlaces : this.places;
    return {
      turn: new RunTurn({
        run,
        connection,
        connector,
        source,
        ...(folder !== undefined && { folder: `${folder}-${connection.id.slice(0, 4)}` }),
        signal,
        host,
        hosts,
        items,
        importer,
        places,
        listings,
        listWhole: () => this.runs.listWhole(run.id),
        onProgress,
      }),
      source,
      host,
    };
  }
}
