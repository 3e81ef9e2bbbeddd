import { runService } from "@carrel/runtime";
import { connectorsService } from "./index.ts";

await runService(connectorsService);
