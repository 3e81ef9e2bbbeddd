import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { AuthModule } from "./auth.module.ts";
import { authShape } from "./auth.config.ts";
import { authDatabase } from "./database/auth-database.ts";

/**
 * The service that knows who may use the instance. Sign-ins wait in a room of 64
 * (`PasswordHasher`): every other request must find a place beside them.
 */
export const authService: ServiceDefinition = defineService({
  name: "auth",
  module: AuthModule,
  database: authDatabase,
  shape: authShape,
  concurrency: 256,
});
