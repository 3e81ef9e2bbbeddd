import { loadConfig, processShape, sharedSecret } from "@carrel/config";
import { runProcess } from "@carrel/runtime";
import { startGateway } from "./gateway.ts";

await runProcess(
  () => loadConfig(processShape),
  (config) => {
    sharedSecret(config);
    return startGateway(config);
  },
);
