import { Module } from "@nestjs/common";
import { Replica } from "./replica.ts";

/** One identity for leases and for what is done under them. */
@Module({ providers: [Replica], exports: [Replica] })
export class ReplicaModule {}
