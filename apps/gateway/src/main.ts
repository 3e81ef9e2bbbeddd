import { instanceShape, loadConfig } from "@carrel/config";
import { endOnSignal, trimWhenIdle } from "@carrel/runtime";
import { startGateway } from "./index.ts";

const gateway = await startGateway(loadConfig(instanceShape));
trimWhenIdle();
endOnSignal(() => gateway.stop());
