import type { In, Operation, Scope } from "@carrel/contracts";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A request that passed its operation's policy and schema. */
export interface Call<Op extends Operation = Operation> {
  input: In<Op>;
  scope: Scope;
  /** As sent by the client, without `Bearer `; null if absent or `null`. */
  bearer: string | null;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborted if the client disconnects before the response is complete. */
  signal: AbortSignal;
}

export const routeMetadata = Symbol("carrel route");

/**
 * Makes a method of an `@Injectable()` the handler of an operation that needs more than forwarding:
 * `(call: Call<typeof op>) => Promise<body>`. Policy, schema and errors come from the contract. A
 * method that writes the response (an event stream, a file) returns `undefined` after
 * `reply.hijack()` or `reply.send()`.
 */
export function Route(operation: Operation): MethodDecorator {
  return (_target, _key, descriptor) => {
    Reflect.defineMetadata(routeMetadata, operation, descriptor.value as object);
  };
}
