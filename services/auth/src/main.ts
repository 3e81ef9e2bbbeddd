import { runService } from "@carrel/runtime";
import { authService } from "./index.ts";

await runService(authService);
