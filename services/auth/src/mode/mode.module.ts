import { Module } from "@nestjs/common";
import { AccessModule } from "../access/access.module.ts";
import { EventLogModule } from "../event-log/event-log.module.ts";
import { PasswordModule } from "../password/password.module.ts";
import { SessionModule } from "../session/session.module.ts";
import { UserModule } from "../user/user.module.ts";
import { AccountActivation } from "./account-activation.ts";
import { ModeHandler } from "./mode.handler.ts";
import { MultiUserHandler } from "./multi-user.handler.ts";
import { MultiUserReconciler } from "./multi-user.reconciler.ts";

@Module({
  imports: [AccessModule, EventLogModule, PasswordModule, SessionModule, UserModule],
  controllers: [ModeHandler, MultiUserHandler],
  providers: [AccountActivation, MultiUserReconciler],
})
export class ModeModule {}
