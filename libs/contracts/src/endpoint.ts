import { z } from "zod";
import type { Access } from "./access.ts";
import type { ErrorReplies, HttpRoute, Operation, Success } from "./operation.ts";

/**
 * A route with everything that applies to it: mounted by the gateway and described in the API docs.
 */
export interface Endpoint extends Pick<
  HttpRoute,
  "method" | "path" | "summary" | "mapReply" | "changesState"
> {
  name: string;
  operation: Operation;
  bodyLimit: number | undefined;
  bodyValues: number | undefined;
  bodyField: string | undefined;
  access: Access;
  input: z.ZodType;
  output: z.ZodType;
  success: Success;
  errors: ErrorReplies;
}

/** The output as clients receive it, with its fault as English text. */
function describeReply({ output, english }: Operation): z.ZodType {
  if (english === undefined || !(output instanceof z.ZodObject)) return output;
  const text = english.none === false ? z.literal(false).or(z.string()) : z.string().nullable();
  return output.omit({ fault: true }).extend({ [english.field]: text });
}

export const listEndpoints = (operations: readonly Operation[]): Endpoint[] =>
  operations.flatMap((operation) =>
    operation.routes.map((route) => ({
      operation,
      name: route.name ?? operation.name,
      method: route.method,
      path: route.path,
      summary: route.summary,
      bodyLimit: route.bodyLimit,
      bodyValues: route.bodyValues,
      bodyField: route.bodyField,
      access: route.access ?? operation.access,
      input: route.input?.pipe(operation.input) ?? operation.input,
      output: route.output ?? describeReply(operation),
      success: route.success ?? operation.success,
      errors: { ...operation.errors, ...route.errors },
      ...(route.changesState === undefined ? {} : { changesState: route.changesState }),
      ...(route.mapReply === undefined ? {} : { mapReply: route.mapReply.bind(route) }),
    })),
  );
