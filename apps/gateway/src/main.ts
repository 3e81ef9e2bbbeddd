import { instanceShape, loadConfig, sharedSecret } from "@carrel/config";
import { runProcess } from "@carrel/runtime";
import { startGateway } from "./gateway.ts";

await runProcess(() => {
  const config = loadConfig(instanceShape);
  sharedSecret(config);
  return startGateway(config);
});
