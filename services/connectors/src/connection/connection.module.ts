import { Module } from "@nestjs/common";
import { ConnectionRepository } from "./connection.repository.ts";
import { ItemRepository } from "./item.repository.ts";
import { RunRepository } from "./run.repository.ts";

const repositories = [ConnectionRepository, ItemRepository, RunRepository];

@Module({ providers: repositories, exports: repositories })
export class ConnectionModule {}
