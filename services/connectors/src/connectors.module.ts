import { Module } from "@nestjs/common";
import { LinkHandler } from "./link/link.handler.ts";

@Module({ controllers: [LinkHandler] })
export class ConnectorsModule {}
