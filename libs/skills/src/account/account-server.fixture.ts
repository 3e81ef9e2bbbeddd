import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createProviderFetch } from "@carrel/egress";
import type { z } from "zod";
import { ToolError, type Tool, type ToolCall, type ToolResult } from "../tool.ts";

/** A vendor's fixture on loopback. */
export async function startAccountServer(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = createProviderFetch({ origin: address, timeoutMs: 5_000, idleTimeoutMs: 5_000 });
  return {
    address,
    /** The real client, whose requests to any origin reach the fixture. */
    reach:
      (origin: string): typeof fetch =>
      (input, init) => {
        const url = new URL(String(input));
        if (url.origin !== origin) throw new Error(`${url.href} isn't of ${origin}`);
        return send(address + url.pathname + url.search, init);
      },
    stop: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
export type AccountServer = Awaited<ReturnType<typeof startAccountServer>>;

/** Runs tools as the loop does: with validated input. */
export function callTools(tools: () => Tool[], signal = new AbortController().signal) {
  const call: ToolCall = {
    signal,
    key: "1",
    progress: () => undefined,
    ask: () => Promise.resolve([]),
    nextSource: 1,
  };
  const named = (name: string): Tool => tools().find((tool) => tool.name === name)!;
  const run = (name: string, input: object): Promise<ToolResult> =>
    named(name).run((named(name).input as z.ZodType).parse(input), call);
  return {
    named,
    textOf: async (name: string, input: object): Promise<string> => (await run(name, input)).text,
    faultOf: async (
      name: string,
      input: object,
    ): Promise<[code: string | undefined, text: string]> => {
      const fault: unknown = await run(name, input).catch((thrown: unknown) => thrown);
      if (!(fault instanceof ToolError)) throw new Error(`no fault but ${String(fault)}`);
      return [fault.fault?.code, fault.message];
    },
    accepts: (name: string, input: object): boolean =>
      (named(name).input as z.ZodType).safeParse(input).success,
  };
}
