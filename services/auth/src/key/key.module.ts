import { Module } from "@nestjs/common";
import { AccessModule } from "../access/access.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { SecretModule } from "../secret/secret.module.ts";
import { UserModule } from "../user/user.module.ts";
import { ExtensionKeyHandler } from "./extension-key.handler.ts";
import { KeyChanges } from "./key-changes.ts";
import { KeyHandler } from "./key.handler.ts";
import { KeyRepository } from "./key.repository.ts";

@Module({
  imports: [AccessModule, EventLogModule, SecretModule, UserModule],
  controllers: [ExtensionKeyHandler, KeyHandler],
  providers: [KeyChanges, KeyRepository],
})
export class KeyModule {}
