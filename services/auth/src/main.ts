import { runService } from "@carrel/runtime";
import { authService } from "./auth.service-definition.ts";

await runService(authService);
