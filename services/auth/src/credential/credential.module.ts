import { Module } from "@nestjs/common";
import { SessionModule } from "../session/session.module.ts";
import { Credentials } from "./credentials.ts";

@Module({
  imports: [SessionModule],
  providers: [Credentials],
  exports: [Credentials],
})
export class CredentialModule {}
