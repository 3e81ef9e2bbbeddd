import { Module } from "@nestjs/common";
import { UserDirectory } from "./user-directory.ts";

@Module({
  providers: [UserDirectory],
  exports: [UserDirectory],
})
export class UserModule {}
