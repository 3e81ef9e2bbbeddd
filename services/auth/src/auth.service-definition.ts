import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { AuthModule } from "./auth.module.ts";
import { authShape } from "./auth.config.ts";
import { authDatabase } from "./auth.database.ts";

/**
 * The service that decides who may use the instance. Up to 64 sign-ins wait in a queue
 * (`PasswordHasher`), and the concurrency leaves room for all other requests next to them.
 */
export const authService: ServiceDefinition = defineService({
  name: "auth",
  module: AuthModule,
  database: authDatabase,
  shape: authShape,
  concurrency: 256,
});
