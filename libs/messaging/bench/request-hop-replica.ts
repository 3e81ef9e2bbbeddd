import { createLogger } from "@carrel/observability";
import { createSharedMessaging, RequestServer } from "../src/index.ts";
import { benchKey, hop } from "./request-hop-operation.ts";

const logger = createLogger("bench", "error");
const shared = createSharedMessaging({ redisUrl: process.argv[2]!, key: benchKey, logger });
const server = new RequestServer({
  service: hop.service,
  handlers: [{ operation: hop, run: (input) => Promise.resolve(input) }],
  connections: shared.connections,
  pulse: shared.pulse,
  local: shared.local,
  cipher: shared.cipher,
  logger,
});
await server.start();
process.stdout.write("ready\n");
process.on(
  "SIGTERM",
  () =>
    void server
      .close()
      .then(() => shared.close())
      .then(() => process.exit(0)),
);
