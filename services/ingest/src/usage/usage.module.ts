import { Module } from "@nestjs/common";
import { ModelUse } from "./model-use.ts";

@Module({ providers: [ModelUse], exports: [ModelUse] })
export class UsageModule {}
