import { runService } from "@carrel/runtime";
import { workspaceService } from "./index.ts";

await runService(workspaceService);
