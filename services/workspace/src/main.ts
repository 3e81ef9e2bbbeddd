import { runService } from "@carrel/runtime";
import { workspaceService } from "./workspace.service-definition.ts";

await runService(workspaceService);
