import { Module } from "@nestjs/common";
import { SecretHasher } from "./secret-hasher.ts";

@Module({
  providers: [SecretHasher],
  exports: [SecretHasher],
})
export class SecretModule {}
