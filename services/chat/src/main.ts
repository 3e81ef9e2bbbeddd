import { runService } from "@carrel/runtime";
import { chatService } from "./index.ts";

await runService(chatService);
