import { Module } from "@nestjs/common";
import { SecretModule } from "../secret/secret.module.ts";
import { Attempts } from "./attempts.ts";
import { KnownDevices } from "./known-device.ts";

@Module({
  imports: [SecretModule],
  providers: [Attempts, KnownDevices],
  exports: [Attempts, KnownDevices],
})
export class ThrottleModule {}
