import { instanceShape, loadConfig } from "@carrel/config";
import { trimWhenIdle } from "@carrel/runtime";
import { startGateway } from "./index.ts";

const gateway = await startGateway(loadConfig(instanceShape));
trimWhenIdle();
let signals = 0;
const onSignal = (): void => {
  signals += 1;
  if (signals > 1) process.exit(1);
  gateway.stop().then(
    () => process.exit(0),
    () => process.exit(1),
  );
};
process.on("SIGTERM", onSignal);
process.on("SIGINT", onSignal);
