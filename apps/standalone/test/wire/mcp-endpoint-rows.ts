import { row, type AccessRow } from "./access-row.ts";

const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const unaccepted: Partial<AccessRow> = { status: 406 };

/** Without an Accept header; `mcp-endpoint.int-spec.ts` uses the official client. */
export const mcpEndpointRows: AccessRow[] = [
  row("gateway.mcp.serve", "key", () => ["POST", "/mcp", message], undefined, {
    ...unaccepted,
    kind: "bytes",
  }),
  row("gateway.mcp.serve-workspace", "key", () => ["POST", "/mcp/w", message], undefined, {
    ...unaccepted,
    kind: "bytes",
  }),
  row(
    "gateway.mcp.serve",
    "none",
    () => ["POST", "/mcp", message],
    {
      error: "No valid api key found.",
    },
    { status: 401 },
  ),
  row("gateway.mcp.serve-workspace", "key", () => ["POST", "/mcp/nothing", message], undefined, {
    status: 404,
  }),
];
