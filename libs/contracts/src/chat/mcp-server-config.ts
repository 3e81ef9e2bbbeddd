import { z } from "zod";

/** Stands for a stored secret; sent back, it keeps the secret. */
export const mcpSecretMask = "********";

const line = (most: number) =>
  z
    .string()
    .max(most)
    // oxlint-disable-next-line no-control-regex -- that is what it refuses
    .regex(/^[^\u0000-\u001F\u007F]*$/);
const text = (most: number) =>
  z
    .string()
    .max(most)
    // oxlint-disable-next-line no-control-regex -- a variable or argument can't contain it
    .regex(/^[^\u0000]*$/);

export const mcpTransports = ["auto", "streamable", "sse"] as const;

/** A program that Carrel runs. */
export const mcpCommand = z.object({
  kind: z.literal("command"),
  command: line(1_000).min(1),
  args: z.array(text(10_000)).max(100).default([]),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,199}$/), text(10_000))
    .refine((env) => Object.keys(env).length <= 100)
    .default({}),
});

/** A server at an address. */
export const mcpAddress = z.object({
  kind: z.literal("address"),
  url: z.url({ protocol: /^https?$/, hostname: /^.+$/ }).max(2_000),
  /** auto: streamable HTTP, and SSE if the server doesn't speak it. */
  transport: z.enum(mcpTransports).default("auto"),
  headers: z
    .record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/), line(10_000))
    .refine((headers) => Object.keys(headers).length <= 50)
    .default({}),
});

export const mcpServerConfig = z.discriminatedUnion("kind", [mcpCommand, mcpAddress]);
export type McpServerConfig = z.infer<typeof mcpServerConfig>;
