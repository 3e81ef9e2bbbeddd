import { randomUUID } from "node:crypto";
import {
  attachGeneration,
  cancelGeneration,
  CarrelError,
  operations,
  type DomainEvent,
  type Job,
  type Operation,
  type ServiceName,
  type Out,
} from "@carrel/contracts";
import { Handle, Streams, type RequestContext } from "@carrel/messaging";
import { defineService, type ServiceDefinition } from "@carrel/runtime";
import { Controller, type Type } from "@nestjs/common";

type Answer = (input: never, context: RequestContext) => unknown;

/** The requests that a fixture has received, newest last. */
export interface Asked {
  operation: string;
  input: unknown;
  context: RequestContext;
}

/**
 * A service that answers the operations of chat, ingest or connectors from a table. Everything
 * between the gateway and
 * it is real: Redis, signatures, validation of input and output.
 */
export class FixtureService {
  readonly asked: Asked[] = [];
  readonly answers = new Map<string, Answer>();
  readonly definition: ServiceDefinition;

  constructor(readonly name: ServiceName) {
    const own = operations.filter((operation) => operation.service === name);
    this.definition = defineService({
      name,
      module: this.buildModule(own),
      contracts: { operations, jobs: [] as Job[], events: [] as DomainEvent[] },
    });
  }

  answer<Op extends Operation>(
    operation: Op,
    answer: Out<Op> | ((input: never, context: RequestContext) => Out<Op> | Promise<Out<Op>>),
  ): this {
    this.answers.set(
      operation.name,
      typeof answer === "function" ? (answer as Answer) : () => answer,
    );
    return this;
  }

  last(operation: Operation): Asked | undefined {
    return this.asked.findLast((asked) => asked.operation === operation.name);
  }

  private buildModule(own: readonly Operation[]): Type {
    const { asked, answers } = this;
    class FixtureController {}
    for (const operation of own) {
      const key = operation.name.replace(/\W/g, "_");
      Object.defineProperty(FixtureController.prototype, key, {
        configurable: true,
        writable: true,
        value: async (input: never, context: RequestContext): Promise<unknown> => {
          asked.push({ operation: operation.name, input, context });
          const answer = answers.get(operation.name);
          if (answer === undefined)
            throw new CarrelError("request.no-handler", { operation: operation.name });
          return answer(input, context);
        },
      });
      Handle(operation)(
        FixtureController.prototype,
        key,
        Object.getOwnPropertyDescriptor(FixtureController.prototype, key)!,
      );
      Reflect.defineMetadata(
        "design:paramtypes",
        [Object, Object],
        FixtureController.prototype,
        key,
      );
    }
    Controller()(FixtureController);
    class FixtureModule {}
    Reflect.defineMetadata("controllers", [FixtureController], FixtureModule);
    return FixtureModule;
  }
}

/** A generation written by hand, part by part, as chat would. */
export async function startFixtureGeneration(
  streams: Streams,
  chat: FixtureService,
): Promise<{
  id: string;
  write(frame: object): Promise<void>;
  end(): Promise<void>;
  cancelled: () => boolean;
}> {
  const id = randomUUID();
  const writer = streams.writer(`gen:${id}`);
  await writer.open();
  let isCancelled = false;
  chat.answer(cancelGeneration, () => {
    isCancelled = true;
    return { success: true };
  });
  chat.answer(attachGeneration, { chatId: 7, state: "running", frames: null });
  return {
    id,
    write: async (frame) => {
      await writer.write(JSON.stringify(frame));
    },
    end: () => writer.end(),
    cancelled: () => isCancelled,
  };
}
