import { runService } from "../src/run-service.ts";
import { fixtureService } from "./fixture-service.ts";

await runService(fixtureService);
