import { runService } from "@carrel/runtime";
import { chatService } from "./chat.service-definition.ts";

await runService(chatService);
