import "reflect-metadata";
import { Controller, Module } from "@nestjs/common";
import { APP_FILTER, NestFactory } from "@nestjs/core";
import { createLogger } from "@carrel/observability";
import { createSharedMessaging, Handle, RequestErrorFilter, RequestServer } from "../src/index.ts";
import { benchKey, hop } from "./request-hop-operation.ts";

@Controller()
class HopHandler {
  @Handle(hop)
  async hop(input: { text: string; tags: string[] }): Promise<{ text: string; tags: string[] }> {
    return input;
  }
}
@Module({
  controllers: [HopHandler],
  providers: [{ provide: APP_FILTER, useClass: RequestErrorFilter }],
})
class HopModule {}

const logger = createLogger("bench", "error");
const shared = createSharedMessaging({ redisUrl: process.argv[2]!, key: benchKey, logger });
const strategy = new RequestServer({
  service: hop.service,
  operations: [hop],
  connections: shared.connections,
  pulse: shared.pulse,
  local: shared.local,
  cipher: shared.cipher,
  logger,
});
const app = await NestFactory.createMicroservice(HopModule, { strategy, logger: false });
await app.listen();
process.stdout.write("ready\n");
process.on(
  "SIGTERM",
  () =>
    void app
      .close()
      .then(() => shared.close())
      .then(() => process.exit(0)),
);
