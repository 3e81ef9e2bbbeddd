import { Module } from "@nestjs/common";
import { OneTimeCodes } from "./one-time-codes.ts";

@Module({ providers: [OneTimeCodes], exports: [OneTimeCodes] })
export class OneTimeCodeModule {}
