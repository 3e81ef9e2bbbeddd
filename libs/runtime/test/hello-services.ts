import {
  CarrelError,
  defineEvent,
  defineJob,
  defineOperation,
  servicePrincipal,
  type EventPayload,
  type JobPayload,
} from "@carrel/contracts";
import {
  Consume,
  Handle,
  messagingMigration,
  Process,
  RequestClient,
  type JobContext,
} from "@carrel/messaging";
import { Controller, Inject, Injectable, Module } from "@nestjs/common";
import { z } from "zod";
import { defineService } from "../src/index.ts";

export const scope = { principal: servicePrincipal, workspace: null };
export const hello = defineOperation({
  name: "fixture.hello.get",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  calls: ["workspace"],
  input: z.object({}),
  output: z.object({ text: z.string() }),
});
export const name = defineOperation({
  name: "fixture.name.get",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({}),
  output: z.object({ name: z.string() }),
});
export const flaky = defineJob({
  name: "fixture.flaky",
  service: "chat",
  queue: "flaky",
  payload: z.object({ mode: z.enum(["later fine", "final", "never fine"]) }),
  attempts: 3,
  backoffMs: 30,
});
export const happened = defineEvent({
  name: "fixture.happened",
  service: "workspace",
  consumers: ["chat"],
  payload: z.object({ mode: z.enum(["fine", "fails once", "final"]) }),
});
const contracts = { operations: [hello, name], jobs: [flaky], events: [happened] };
export const attempts: Record<string, { attempt: number; lastAttempt: boolean }[]> = {};
export const heard: string[] = [];

@Controller()
class HelloHandler {
  constructor(@Inject(RequestClient) private readonly client: RequestClient) {}
  @Handle(hello)
  async hello(): Promise<{ text: string }> {
    return { text: `hello ${(await this.client.request(name, {}, { scope })).name}` };
  }
}
@Injectable()
class HelloWorker {
  @Process(flaky)
  async flaky(
    { mode }: JobPayload<typeof flaky>,
    { attempt, lastAttempt }: JobContext,
  ): Promise<void> {
    (attempts[mode] ??= []).push({ attempt, lastAttempt });
    if (mode === "final") throw new CarrelError("request.no-handler", { operation: "never" });
    if (mode === "never fine" || attempt < 2) throw new Error("not yet");
  }
  @Consume(happened)
  async happened({ mode }: EventPayload<typeof happened>): Promise<void> {
    heard.push(mode);
    if (mode === "fails once" && heard.filter((other) => other === mode).length === 1)
      throw new Error("once");
    if (mode === "final") throw new CarrelError("request.no-handler", { operation: "never" });
  }
}
@Module({ controllers: [HelloHandler], providers: [HelloWorker] })
class HelloModule {}
@Controller()
class NameHandler {
  @Handle(name)
  async name(): Promise<{ name: string }> {
    return { name: "Carrel" };
  }
}
@Module({ controllers: [NameHandler] })
class NameModule {}

export const chat = defineService({
  name: "chat",
  module: HelloModule,
  contracts,
  database: { schema: "chat", entities: [], migrations: [messagingMigration("chat")] },
});
export const workspace = defineService({
  name: "workspace",
  module: NameModule,
  contracts,
  database: { schema: "workspace", entities: [], migrations: [messagingMigration("workspace")] },
});
