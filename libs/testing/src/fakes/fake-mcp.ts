import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { sendJson } from "./send-json.ts";

/** A tool of the fake; it answers "<name> <input.about>". */
export interface FakeMcpTool {
  name: string;
  /** Others may change something, and can't be called twice. */
  isReadOnly?: boolean;
}

export interface FakeMcp {
  /** Its address for clients. */
  url: string;
  /** Calls so far, also those that were never answered. */
  calls: { name: string; about: string }[];
  /** Calls whose input matches aren't answered; those of clients that are gone never will be. */
  hold(about: RegExp): void;
  stop(): Promise<void>;
}

interface Message {
  id?: string | number;
  method?: string;
  params?: {
    protocolVersion?: string;
    name?: string;
    arguments?: { about?: unknown };
  };
}

/**
 * An MCP server over Streamable HTTP that replies in JSON, without sessions (specification of
 * 2025-06-18, basic/transports and server/tools).
 */
export async function startFakeMcp(tools: readonly FakeMcpTool[]): Promise<FakeMcp> {
  const calls: FakeMcp["calls"] = [];
  let held: RegExp | null = null;

  /** undefined: nothing is sent. */
  const answer = ({ id, method, params = {} }: Message): object | undefined => {
    const reply = (result: object): object => ({ jsonrpc: "2.0", id, result });
    if (method === "initialize")
      return reply({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "fake", version: "1.0.0" },
      });
    if (method === "ping") return reply({});
    if (method === "tools/list")
      return reply({
        tools: tools.map(({ name, isReadOnly = false }) => ({
          name,
          description: `Does ${name}.`,
          inputSchema: { type: "object", properties: { about: { type: "string" } } },
          annotations: { readOnlyHint: isReadOnly },
        })),
      });
    if (method === "tools/call") {
      const [name, about] = [params.name ?? "", String(params.arguments?.about ?? "")];
      calls.push({ name, about });
      if (held?.test(about)) return undefined;
      return reply({ content: [{ type: "text", text: `${name} ${about}` }] });
    }
    return { jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } };
  };
  const read = async (request: IncomingMessage): Promise<Message> =>
    JSON.parse(await text(request)) as Message;

  const server = createServer((request, response) => {
    if (request.method !== "POST") return void response.writeHead(405).end();
    read(request).then(
      (message) => {
        if (message.id === undefined) return void response.writeHead(202).end();
        const body = answer(message);
        if (body !== undefined) sendJson(response, 200, body);
      },
      () => response.destroy(),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    calls,
    hold: (about) => {
      held = about;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
