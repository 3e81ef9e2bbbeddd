import type * as operation from "./operation.ts";

declare const contract: unique symbol;

/**
 * An operation as the web app knows it: `METHOD /path`, followed by the kind of its reply unless
 * that is JSON. Input and output exist only in its type; schemas stay on the server.
 */
export type Operation<Contract extends operation.Operation = operation.Operation> = string & {
  readonly [contract]: Contract;
};

type ContractOf<T> = T extends Operation<infer Contract> ? Contract : never;
export type In<T> = operation.In<ContractOf<T>>;
export type Args<T> = operation.Args<ContractOf<T>>;
export type Out<T> = operation.Out<ContractOf<T>>;
