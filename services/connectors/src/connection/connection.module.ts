import { Module } from "@nestjs/common";
import { AccessRepository } from "./access.repository.ts";
import { ConnectionRepository } from "./connection.repository.ts";
import { DocumentItemRepository } from "./document-item.repository.ts";
import { HostTurnRepository } from "./host-turn.repository.ts";
import { ItemListRepository } from "./item-list.repository.ts";
import { ItemRepository } from "./item.repository.ts";
import { RunItemsRepository } from "./run-items.repository.ts";
import { RunRepository } from "./run.repository.ts";
import { StaleRepository } from "./stale.repository.ts";

const repositories = [
  AccessRepository,
  ConnectionRepository,
  HostTurnRepository,
  DocumentItemRepository,
  ItemListRepository,
  ItemRepository,
  RunItemsRepository,
  RunRepository,
  StaleRepository,
];

@Module({ providers: repositories, exports: repositories })
export class ConnectionModule {}
