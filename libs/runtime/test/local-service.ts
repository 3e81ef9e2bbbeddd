import { AsyncLocalStorage } from "node:async_hooks";
import { CarrelError, defineOperation, type In, type Out } from "@carrel/contracts";
import { Handle, type RequestContext } from "@carrel/messaging";
import { context } from "@carrel/observability";
import { Controller, Module } from "@nestjs/common";
import { z } from "zod";
import { defineService, type ServiceDefinition } from "../src/index.ts";

const own = { service: "auth", access: { who: "internal" }, idempotency: "natural" } as const;

/** Stays running until the test releases it. */
export const hold = defineOperation({
  ...own,
  name: "local.hold.get",
  input: z.object({ id: z.string() }),
  output: z.object({ replica: z.string() }),
});
/** Mutates everything it can reach, during the request and afterwards. */
export const meddle = defineOperation({
  ...own,
  name: "local.meddle.get",
  input: z.object({ list: z.array(z.unknown()), at: z.unknown() }),
  output: z.object({ list: z.array(z.unknown()), outside: z.string().nullable() }),
});
export const refuse = defineOperation({
  ...own,
  name: "local.refuse.get",
  input: z.object({ how: z.enum(["refusal", "bug", "wrong output", "large output"]) }),
  output: z.object({ text: z.string() }),
});

/** What a handler knows about its request. */
export const report = defineOperation({
  ...own,
  name: "local.report.get",
  input: z.object({}),
  output: z.object({
    work: z.record(z.string(), z.unknown()),
    context: z.record(z.string(), z.unknown()),
    isAborted: z.boolean(),
  }),
});

export const callersStorage = new AsyncLocalStorage<string>();

/** One replica of a service whose `hold` operation the test controls. */
export class LocalService {
  readonly held = new Map<string, () => void>();
  readonly started: string[] = [];
  lastParams: { limit: number } | undefined;
  lastReply: { list: unknown[] } | undefined;
  maxConcurrent = 0;

  constructor(readonly replica: string) {}

  release(): void {
    while (this.held.size > 0) this.releaseNext();
  }

  releaseNext(): void {
    for (const [id, finish] of this.held) {
      this.held.delete(id);
      return finish();
    }
  }
}

/** The service whose requests `service` records and holds. */
export function localService(service: LocalService, concurrency?: number): ServiceDefinition {
  @Controller()
  class LocalHandler {
    @Handle(hold)
    async hold({ id }: In<typeof hold>): Promise<Out<typeof hold>> {
      service.started.push(id);
      await new Promise<void>((resolve) => {
        service.held.set(id, resolve);
        service.maxConcurrent = Math.max(service.maxConcurrent, service.held.size);
      });
      return { replica: service.replica };
    }

    @Handle(meddle)
    async meddle(input: In<typeof meddle>, ctx: RequestContext): Promise<Out<typeof meddle>> {
      (input.list[0] as { name: string }).name = "changed by the handler";
      ctx.scope.principal.role = "none";
      service.lastReply = { list: [{ kept: input.at }] };
      return { ...service.lastReply, outside: callersStorage.getStore() ?? null };
    }

    @Handle(refuse)
    async refuse({ how }: In<typeof refuse>): Promise<Out<typeof refuse>> {
      if (how === "bug") throw new TypeError("the secret is hunter2");
      if (how === "refusal") {
        service.lastParams = { limit: 3 };
        throw new CarrelError("request.body-too-deep", service.lastParams, { retryAfter: 7 });
      }
      if (how === "large output") return { text: "x".repeat(1024 * 1024) };
      return { words: 1 } as unknown as Out<typeof refuse>;
    }

    @Handle(report)
    async report(_: In<typeof report>, ctx: RequestContext): Promise<Out<typeof report>> {
      const { requestId, actor, traceparent, deadline } = context.get()!;
      return {
        work: { requestId, actor, traceId: traceparent!.split("-")[1], deadline },
        context: {
          requestId: ctx.requestId,
          userId: ctx.scope.principal.userId,
          deadline: ctx.deadline,
          contract: ctx.contract,
        },
        isAborted: ctx.signal.aborted,
      };
    }
  }
  @Module({ controllers: [LocalHandler] })
  class LocalModule {}
  return defineService({
    name: "auth",
    module: LocalModule,
    contracts: { operations: [hold, meddle, refuse, report], jobs: [], events: [] },
    ...(concurrency === undefined ? {} : { concurrency }),
  });
}
