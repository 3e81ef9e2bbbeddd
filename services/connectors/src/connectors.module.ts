import { Module } from "@nestjs/common";
import { ManagementModule } from "./management/management.module.ts";

@Module({ imports: [ManagementModule] })
export class ConnectorsModule {}
