import { Module } from "@nestjs/common";
import { ImportModule } from "./import/import.module.ts";

@Module({ imports: [ImportModule] })
export class ConnectorsModule {}
