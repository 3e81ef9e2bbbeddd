import { Module } from "@nestjs/common";
import { EventModule } from "../event/event.module.ts";
import { PreferenceModule } from "../preference/preference.module.ts";
import { UserModule } from "../user/user.module.ts";
import { AnchorFile } from "./anchor-file.ts";
import { AnchorReconciler } from "./anchor.reconciler.ts";
import { ChainExportHandler } from "./chain-export.handler.ts";
import { EventRetention } from "./event-retention.ts";
import { EventStateHandler } from "./event-state.handler.ts";
import { RetentionReconciler } from "./retention.reconciler.ts";

@Module({
  imports: [EventModule, PreferenceModule, UserModule],
  controllers: [ChainExportHandler, EventStateHandler],
  providers: [AnchorFile, AnchorReconciler, EventRetention, RetentionReconciler],
})
export class AuditModule {}
