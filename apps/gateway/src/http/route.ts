import type { In, Operation, Scope } from "@carrel/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A request that has passed its operation's policy and schema. */
export interface Call<Op extends Operation = Operation> {
  input: In<Op>;
  scope: Scope;
  /** As the client sent it, without `Bearer `; null when absent or `null`. */
  bearer: string | null;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborts when the client goes away before the answer is complete. */
  signal: AbortSignal;
}

export const routeMetadata = Symbol("carrel route");

/**
 * Makes a method of an `@Injectable()` the answer to an operation that is more than request and
 * reply:
 * `(call: Call<typeof op>) => Promise<body>`. Its policy, schema and errors are the contract's. A
 * method that has
 * answered by itself (an event stream, a file) gives `undefined` after `reply.hijack()` or
 * `reply.send()`.
 */
export function Route(operation: Operation): MethodDecorator {
  return (_target, _key, descriptor) => {
    Reflect.defineMetadata(routeMetadata, operation, descriptor.value as object);
  };
}
