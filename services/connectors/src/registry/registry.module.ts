import { Module } from "@nestjs/common";
import { ConnectorRegistry } from "./connector-registry.ts";

@Module({ providers: [ConnectorRegistry], exports: [ConnectorRegistry] })
export class RegistryModule {}
