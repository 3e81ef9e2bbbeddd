import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { chatShape } from "./chat.config.ts";
import { chatDatabase } from "./chat.database.ts";
import { ChatModule } from "./chat.module.ts";

/**
 * Threads, turns and the models that answer. More concurrent requests would only wait for
 * PostgreSQL connections, and delay lease renewals.
 */
export const chatService: ServiceDefinition = defineService({
  name: "chat",
  module: ChatModule,
  database: chatDatabase,
  shape: chatShape,
  concurrency: 64,
});
