import { runService } from "@carrel/runtime";
import { connectorsService } from "./connectors.service-definition.ts";

await runService(connectorsService);
