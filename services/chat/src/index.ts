import { defineService } from "@carrel/runtime";
import { chatShape } from "./chat.config.ts";
import { ChatModule } from "./chat.module.ts";
import { chatDatabase } from "./database/chat-database.ts";

/**
 * Threads, turns and the runs of models that answer. More handlers at once would only wait for
 * PostgreSQL's connections, and leases that are to be renewed behind them.
 */
export const chatService = defineService({
  name: "chat",
  module: ChatModule,
  database: chatDatabase,
  shape: chatShape,
  concurrency: 64,
});
