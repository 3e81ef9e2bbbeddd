import { Module } from "@nestjs/common";
import { AccessChanges } from "./access-changes.ts";
import { InstanceAccessRepository } from "./instance-access.repository.ts";

@Module({
  providers: [AccessChanges, InstanceAccessRepository],
  exports: [AccessChanges, InstanceAccessRepository],
})
export class AccessModule {}
