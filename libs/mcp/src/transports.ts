import type { McpServerConfig } from "@carrel/contracts";
import type { ContentClient } from "@carrel/egress";
import type { AuthProvider, OAuthClientProvider, Transport } from "@modelcontextprotocol/client";
import { createServerFetch } from "./http-fetch.ts";
import type { LogLines } from "./log-lines.ts";
import { loadSdk } from "./sdk.ts";
import { StdioTransport } from "./stdio-transport.ts";

export interface TransportOptions {
  /** The only variables that a command gets besides its own: PATH and HOME. */
  environment: Readonly<Record<string, string>>;
  /** Where commands run. */
  folder: string;
  /** Where sign-in servers of others are reached; null: nowhere. */
  content: ContentClient | null;
  /** Null: the server is used without a sign-in. */
  auth: AuthProvider | OAuthClientProvider | null;
}

/** How a server is reached, in the order in which to try. */
export function createTransports(
  config: McpServerConfig,
  { environment, folder, content, auth }: TransportOptions,
): ((log: LogLines) => Promise<Transport>)[] {
  if (config.kind === "command") {
    const { command, args, env } = config;
    return [
      (log) =>
        Promise.resolve(
          new StdioTransport({
            command,
            args,
            environment: { ...environment, ...env },
            folder,
            log,
          }),
        ),
    ];
  }
  const url = new URL(config.url);
  const fetch = createServerFetch({
    url: config.url,
    headers: config.headers,
    content,
    connectTimeoutMs: 10_000,
    idleTimeoutMs: 30 * 60_000,
  });
  const options = { fetch, ...(auth === null ? {} : { authProvider: auth }) };
  const streamable = async (): Promise<Transport> => {
    const { StreamableHTTPClientTransport } = await loadSdk();
    // Its type lacks `undefined` in an optional field.
    return new StreamableHTTPClientTransport(url, options) as Transport;
  };
  const sse = async (): Promise<Transport> => {
    const { SSEClientTransport } = await loadSdk();
    return new SSEClientTransport(url, options) as Transport;
  };
  if (config.transport === "streamable") return [streamable];
  return config.transport === "sse" ? [sse] : [streamable, sse];
}
