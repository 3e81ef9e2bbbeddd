import { Module } from "@nestjs/common";
import { SecretModule } from "../secret/secret.module.ts";
import { RecoveryCodes } from "./recovery-codes.ts";

@Module({
  imports: [SecretModule],
  providers: [RecoveryCodes],
  exports: [RecoveryCodes],
})
export class RecoveryCodeModule {}
